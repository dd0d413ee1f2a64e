import Foundation
import ProbeKit
import TestSupport
import Testing
import TroveStorage

/// Several processes on one store: they work together, or the second is told that the store is taken.
@Suite(.serialized) struct SharingTests {
    /// The engines whose stores several processes may have open.
    static let shared: [Engine] = [.sqlite, .lmdb]

    @Test func lockedByAnotherProcess() async throws {
        let (engine, directory) = (Engine.tokyoCabinet, try TemporaryDirectory())
        let path = directory.file()
        try await ProbeProcess.use { first in
            try await first.require(.open(engine, path: path))
            try await first.require(.fill(path: path))
            try await ProbeProcess.use { second in
                for _ in 0..<3 {
                    let fault = try await second.ask(.open(engine, path: path)).fault
                    #expect(fault?.name == "locked", "\(String(describing: fault))")
                }
                let faults = try await first.faults(ofSample: path)
                #expect(faults.isEmpty)
                try await first.require(.close(path: path))
                let faultsOfSecond = try await second.faults(ofClosedSample: path, engine)
                #expect(faultsOfSecond.isEmpty, "once the first has closed it")
                try await first.require(.open(engine, path: path))
                try await first.stop()
                let faultsAfterKill = try await second.faults(ofClosedSample: path, engine)
                #expect(faultsAfterKill.isEmpty, "once the first was killed")
            }
        }
    }

    /// Another program may hold the system's own lock on the file, as SQLite's EXCLUSIVE mode and other users of Tokyo Cabinet do.
    @Test(arguments: [Engine.sqlite, .tokyoCabinet]) func lockedByAnotherProgram(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        try await ProbeProcess.use { probe in
            try await probe.makeSample(engine, path)
            try await ProbeProcess.use { other in
                try await other.require(.lockFile(path: path))
                let before = try directory.contents()
                let fault = try await probe.ask(.open(engine, path: path, timeout: 200)).fault
                #expect(fault?.name == "locked", "\(String(describing: fault))")
                #expect(try directory.contents()["store"] == before["store"])
            }
            let faults = try await probe.faults(ofClosedSample: path, engine)
            #expect(faults.isEmpty)
        }
    }

    @Test(arguments: shared) func writersOfTwoProcesses(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        let times = 150
        try await ProbeProcess.use { first in
            try await ProbeProcess.use { second in
                for probe in [first, second] { try await probe.require(.open(engine, path: path)) }
                async let firstDone = first.require(.increment(path: path, account: 7, times: times))
                async let secondDone = second.require(.increment(path: path, account: 7, times: times))
                _ = try await (firstDone, secondDone)
                for probe in [first, second] {
                    let sum = try await probe.require(.sum(path: path, times: 1)).number
                    #expect(sum == 2 * times)
                }
            }
        }
    }

    /// Each snapshot of a reader adds up to the same, whatever the other process is writing.
    @Test(arguments: shared) func readersBesideAWriterInAnotherProcess(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        try await ProbeProcess.use { writer in
            try await ProbeProcess.use { reader in
                try await writer.require(.open(engine, path: path))
                try await writer.require(.increment(path: path, account: 3, times: 9))
                try await reader.require(.open(engine, path: path))
                async let written = writer.require(.transfer(path: path, accounts: 50, times: 300))
                let sum = try await reader.require(.sum(path: path, times: 200)).number
                #expect(sum == 9)
                _ = try await written
                let sumAfterwards = try await reader.require(.sum(path: path, times: 1)).number
                #expect(sumAfterwards == 9)
            }
        }
    }

    /// Who only reads sees what another process commits, and keeps it from nothing but where an engine has one process.
    @Test(arguments: Engine.persistent) func readingOnlyBesideAnotherProcess(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        func fill(_ keyspace: String) throws -> String { try ProbeProgram.run(["fill", engine.rawValue, path, keyspace, "25"]) }
        #expect(try fill("first") == "")
        let reader = try engine.openReadOnly(path)
        func names() throws -> [String] { try reader.read { try $0.keyspaceNames().sorted() } }
        #expect(try names() == ["first"])
        #expect(try fill("second") == (Self.shared.contains(engine) ? "" : "locked"))
        #expect(try names() == (Self.shared.contains(engine) ? ["first", "second"] : ["first"]))
        try reader.close()
        #expect(try fill("third") == "")
    }

    /// A write waits for the one of another process, also when that process dies inside it.
    @Test(arguments: shared, [false, true]) func waitingForAnotherProcess(engine: Engine, dies: Bool) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        try await ProbeProcess.use { first in
            try await ProbeProcess.use { second in
                for probe in [first, second] { try await probe.require(.open(engine, path: path)) }
                try await first.require(.beginWrite(path: path))
                async let waiting = second.require(.increment(path: path, account: 0, times: 1))
                let unseen = try await ProbeProcess.use { third in
                    try await third.require(.open(engine, path: path))
                    return try await third.require(.sum(path: path, times: 1)).number
                }
                #expect(unseen == 0, "a transaction that runs is not seen, and readers do not wait for it")
                if dies { try await first.stop() } else { try await first.require(.endWrite) }
                _ = try await waiting
                let sum = try await second.require(.sum(path: path, times: 1)).number
                #expect(sum == (dies ? 1 : 2))
            }
        }
    }

    /// The wait for another process has an end, also when that process began to write while it was the only one.
    @Test(arguments: shared, [false, true]) func waitingTooLongForAnotherProcess(engine: Engine, wasAlone: Bool) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        try await ProbeProcess.use { first in
            try await ProbeProcess.use { second in
                try await first.require(.open(engine, path: path))
                if wasAlone { try await first.require(.beginWrite(path: path)) }
                try await second.require(.open(engine, path: path, timeout: 100))
                if !wasAlone { try await first.require(.beginWrite(path: path)) }
                let fault = try await second.ask(.increment(path: path, account: 0, times: 1)).fault
                #expect(fault?.name == "timedOut", "\(String(describing: fault))")
                #expect(fault?.message.contains("for a write of another process to end") == true, "\(String(describing: fault))")
                try await first.require(.endWrite)
                try await second.require(.increment(path: path, account: 0, times: 1))
                let sum = try await first.require(.sum(path: path, times: 1)).number
                #expect(sum == 2)
            }
        }
    }

    /// The snapshot of a process that was killed in a read keeps no page from being used again.
    @Test(arguments: shared) func aKilledReaderMakesNoFileGrow(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        func size() throws -> Int { try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) }
        try await ProbeProcess.use { writer in
            try await writer.require(.open(engine, path: path))
            try await writer.require(.increment(path: path, account: 0, times: 40))
            try await ProbeProcess.use { reader in
                try await reader.require(.open(engine, path: path))
                try await reader.require(.beginRead(path: path))
                try await reader.stop()
            }
            let before = try size()
            // Each commit leaves three pages and more behind.
            try await writer.require(.increment(path: path, account: 0, times: 400))
            #expect(try size() < before + (2 << 20))
        }
    }

    /// Processes that make the same new store at once.
    @Test(arguments: Engine.persistent) func creatingAtTheSameTime(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        try await ProbeProcess.use { first in
            try await ProbeProcess.use { second in
                for number in 0..<8 {
                    let path = directory.file("store \(number)")
                    async let firstReply = first.ask(.open(engine, path: path))
                    async let secondReply = second.ask(.open(engine, path: path))
                    let replies = try await [(first, firstReply), (second, secondReply)]
                    let opened = replies.filter { $0.1.fault == nil }.map(\.0)
                    if engine == .tokyoCabinet {
                        #expect(opened.count == 1)
                        #expect(replies.compactMap(\.1.fault?.name) == ["locked"])
                    } else {
                        #expect(opened.count == 2, "\(replies.compactMap(\.1.fault))")
                    }
                    for probe in opened { try await probe.require(.increment(path: path, account: 1, times: 3)) }
                    let sum = try await opened.first?.require(.sum(path: path, times: 1)).number
                    #expect(sum == 3 * opened.count)
                    for probe in opened { try await probe.require(.close(path: path)) }
                }
            }
        }
    }
}
