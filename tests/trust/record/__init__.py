"""The record: which rows it vouches for, and how an edit is found."""
