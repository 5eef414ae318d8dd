"""Campaigns that bots play by mail alone: real conversations with mail servers both ways, on this computer."""
