import Foundation
import ProbeKit
import TestSupport

/// A store's files, and a probe that opens damaged copies of them; a crashed probe is replaced.
actor DamageLab {
    let engine: Engine
    /// The bytes of a store with the sample contents, closed.
    let original: [UInt8]
    /// The bytes of the same store at an earlier time, when the sample's objects had other values.
    let older: [UInt8]
    private let directory: TemporaryDirectory
    private var probe: ProbeProcess
    private var tally: [String: Int] = [:]
    private var cases = 0

    init(_ engine: Engine) async throws {
        self.engine = engine
        directory = try TemporaryDirectory()
        probe = try ProbeProcess()
        let path = directory.file("original")
        try await probe.require(.open(engine, path: path))
        try await probe.require(.fillOlder(path: path))
        try await probe.require(.close(path: path))
        older = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        try await probe.require(.open(engine, path: path))
        try await probe.require(.fill(path: path))
        try await probe.require(.close(path: path))
        original = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// What comes of a store whose file has these bytes, and whether the file still has them.
    func open(_ bytes: [UInt8]) async throws -> (outcome: DamageOutcome, isUntouched: Bool) {
        cases += 1
        let path = directory.file("case-\(cases)")
        let url = URL(fileURLWithPath: path)
        try Data(bytes).write(to: url)
        var outcome: DamageOutcome
        do {
            outcome = DamageOutcome(try await probe.ask(.inspect(engine, path: path)))
        } catch let end as ProbeEnd {
            outcome = .ended(end)
            probe = try ProbeProcess()
        }
        tally[outcome.kind, default: 0] += 1
        let isUntouched = FileManager.default.fileExists(atPath: path) ? try Data(contentsOf: url) == Data(bytes) : false
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) where name.hasPrefix("case-") {
            try FileManager.default.removeItem(atPath: directory.file(name))
        }
        return (outcome, isUntouched)
    }

    /// Ends the probe; prints how often each outcome came when more than the usual rounds were asked for.
    func finish(_ what: String) async throws {
        try await probe.stop()
        if ProcessInfo.processInfo.environment["TROVE_DAMAGE_ROUNDS"] == nil { return }
        print("\(engine), \(what): \(tally.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))")
    }
}
