//! How is it written? One module per file format.
