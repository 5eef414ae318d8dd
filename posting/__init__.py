"""Posting by itself: a published phase goes to the forum threads of its audiences, and a call to whose turn it is."""
