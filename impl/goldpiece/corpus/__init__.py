"""Texts of files, folders and streams, whatever their form and size."""
