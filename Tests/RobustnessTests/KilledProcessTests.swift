import Foundation
import ProbeKit
import TestSupport
import Testing

/// A process that is killed loses no transaction it has acknowledged, and leaves none in part.
@Suite(.serialized) struct KilledProcessTests {
    /// `TROVE_DAMAGE_ROUNDS=n` runs n times as many.
    private static let kills = 5 * DamageTests.rounds

    @Test(arguments: Engine.persistent, [100, 3_000, 60_000]) func killedWhileWriting(engine: Engine, payloadSize: Int) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        var generator = SeededGenerator(seed: UInt64(payloadSize))
        var acknowledged = 0
        for kill in 0..<Self.kills {
            let target = acknowledged + Int.random(in: 1...15, using: &generator)
            let delay = UInt32.random(in: 0...3_000, using: &generator)
            let description = "\(engine), values of \(payloadSize) bytes, kill \(kill), \(delay) µs after transaction \(target)"
            let replies = try await ProbeProcess.use { probe in
                try await probe.require(.open(engine, path: path))
                return try await probe.killDuring(.append(path: path, payloadSize: payloadSize, limit: .max)) { reply in
                    guard reply.number ?? .max >= target else { return false }
                    usleep(delay)
                    return true
                }
            }
            #expect(replies.allSatisfy { $0.fault == nil }, "\(description)")
            acknowledged = try #require(replies.compactMap(\.number).max())
            try await ProbeProcess.use { probe in
                try await probe.require(.open(engine, path: path))
                let found = try #require(try await probe.require(.countTransactions(path: path)).number)
                #expect((acknowledged...acknowledged + 1).contains(found), "\(description): \(acknowledged) acknowledged, \(found) found")
                let more = try await probe.askAll(.append(path: path, payloadSize: payloadSize, limit: 3))
                #expect(more.compactMap(\.number) == Array(found + 1...found + 3), "\(description)")
                try await probe.require(.close(path: path))
                acknowledged = found + 3
            }
        }
    }
}
