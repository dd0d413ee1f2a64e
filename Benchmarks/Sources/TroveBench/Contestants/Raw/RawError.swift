/// Errors of the C programs.
enum RawError {
    /// Throws when a call of an engine gave an error's code.
    static func check(_ message: (Int32) -> UnsafePointer<CChar>?, _ code: Int32) throws {
        if code == 0 { return }
        throw BenchmarkError(message(code).map { String(cString: $0) } ?? "the engine's code \(code)")
    }
}
