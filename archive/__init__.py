"""The archive of a campaign: what an audience received of it as pages that open from disk; and the GM's JSON export."""
