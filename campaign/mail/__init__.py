"""Mail: composed and stored in the transaction that makes it true, then delivered."""
