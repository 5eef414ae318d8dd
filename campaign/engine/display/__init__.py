"""What may be shown: Views, signs, backdrops, and the lines of reports."""
