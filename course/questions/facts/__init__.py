"""Facts under the answers, by subject: the numbers that they name, and their pictures."""
