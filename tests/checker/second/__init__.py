"""A second checker, written from the pages alone: plain, slow, and with no line of the first one's."""
