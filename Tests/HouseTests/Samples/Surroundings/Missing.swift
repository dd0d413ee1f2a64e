/// A value that a sample takes for granted, and that is never made: samples are compiled and not run.
func missing<Value>() -> Value { fatalError("samples are not run") }
