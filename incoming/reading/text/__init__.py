"""The text of a mail: from bytes to lines with their quote marks."""
