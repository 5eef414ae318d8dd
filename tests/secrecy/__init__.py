"""Whether anything leaks: two worlds that one side cannot tell apart are shown to it, byte for byte."""
