//! Small assemblies.
