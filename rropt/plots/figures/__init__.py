"""The drawings, one file each; ``data`` holds what they show under the same names."""
