// Nothing is declared here.

/* And nothing here. */
