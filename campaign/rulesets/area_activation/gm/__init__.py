"""What the GM may correct."""
