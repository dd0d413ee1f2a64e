extension ProbeProcess {
    /// Runs `body` with a probe that ends with it.
    static func use<Result>(launcher: [String] = [], _ body: (ProbeProcess) async throws -> Result) async throws -> Result {
        let probe = try ProbeProcess(launcher: launcher)
        do {
            let result = try await body(probe)
            try await probe.stop()
            return result
        } catch {
            try await probe.stop()
            throw error
        }
    }
}
