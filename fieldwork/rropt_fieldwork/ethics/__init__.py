"""Ethics pages, reports of surveys and the explorer."""
