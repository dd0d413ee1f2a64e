import Foundation
import ProbeKit
import TestSupport
import Testing

/// Moments at which a process that is killed once left the others of an LMDB store without an end of waiting.
@Suite struct LockFileStateTests {
    /// Where LMDB's lock file has the number of the last transaction: behind a magic number, a format and a mutex of 40 bytes.
    private static func stateOffset(of store: Data, in lockFile: Data) throws -> Int {
        func number(_ data: Data, _ offset: Int) -> UInt64 {
            (0..<8).reduce(0) { $0 | UInt64(data[data.startIndex + offset + $1]) << UInt64(8 * $1) }
        }
        // The data file's two headers tell the same number; the higher one holds.
        let pageSize = Int(number(store, 40) & 0xFFFF_FFFF)
        let last = max(number(store, 144), number(store, pageSize + 144))
        return try #require(stride(from: 8, to: 128, by: 8).first { number(lockFile, $0) == last }, "the lock file does not have the number \(last)")
    }

    /// The first process to open a store clears the lock file, and was killed then. Those that waited for it, and have the file locked together now, see no
    /// state in it. Who comes then neither believes it nor waits for ever, and goes on when they are gone.
    @Test func aProcessWasKilledWhileItOpenedTheStore() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        try await ProbeProcess.use { probe in
            try await probe.makeSample(.lmdb, path)
            let store = try Data(contentsOf: URL(filePath: path))
            var lockFile = try Data(contentsOf: URL(filePath: path + "-lock"))
            let offset = try Self.stateOffset(of: store, in: lockFile)
            lockFile.replaceSubrange(offset..<offset + 8, with: [UInt8](repeating: 0, count: 8))
            try lockFile.write(to: URL(filePath: path + "-lock"))
            try await ProbeProcess.use { survivor in
                try await survivor.require(.shareFile(path: path + "-lock"))
                let fault = try await probe.ask(.open(.lmdb, path: path, timeout: 300)).fault
                #expect(fault?.name == "locked", "\(String(describing: fault))")
                #expect(try Data(contentsOf: URL(filePath: path)) == store)
            }
            let faults = try await probe.faults(ofClosedSample: path, .lmdb)
            #expect(faults.isEmpty, "\(faults)")
        }
    }

    /// Who is killed while it waits to write, as one of several, leaves its turn to the next.
    @Test(arguments: [Engine.sqlite, .lmdb]) func aWaiterIsKilled(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        try await ProbeProcess.use { writer in
            try await ProbeProcess.use { killed in
                try await ProbeProcess.use { next in
                    for probe in [writer, killed, next] { try await probe.require(.open(engine, path: path)) }
                    for round in 1...3 {
                        try await writer.require(.beginWrite(path: path))
                        async let killedReply = Result { try await killed.ask(.increment(path: path, account: 1, times: 1)) }
                        async let nextReply = next.require(.increment(path: path, account: 2, times: 1))
                        try await Task.sleep(for: .milliseconds(50))
                        if round == 3 { try await killed.stop() }
                        try await writer.require(.endWrite)
                        _ = try await nextReply
                        _ = await killedReply
                    }
                    let sum = try await next.require(.sum(path: path, times: 1)).number
                    // Three of the writer, three of the next, and two or, when it was killed too late, three of the one that was killed.
                    #expect(sum == 8 || sum == 9)
                }
            }
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
