"""The ways in which mail comes in. Next to the SMTP listener: a mailbox polled by IMAP, and a provider's webhook."""

SMTP, IMAP, WEBHOOK = "smtp", "imap", "webhook"
WAYS = (SMTP, IMAP, WEBHOOK)
"""What FIELDPOST_MAIL_IN may say."""
