"""Wrong lines of code in a class: normal forms, and frequent mistakes that have no name yet."""
