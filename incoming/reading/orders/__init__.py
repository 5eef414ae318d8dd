"""The orders in the text of a mail, and who wrote them."""
