"""Training from files: counted on several processors, kept on the way, learnt; and from texts in this process."""
