import ProbeKit
import TestSupport
import Testing

/// A full disk is an error with a name; what was committed stays, and the store works again when there is room.
///
/// Enabled where a small disk can be mounted: there is no other way to fill one.
@Suite(.serialized, .enabled(if: Mount.isPossible, "the system does not let this process mount a small disk"))
struct DiskFullTests {
    private static let diskSize = 6 << 20

    @Test(arguments: Engine.persistent, [300, 8_000]) func fullWhileWriting(engine: Engine, payloadSize: Int) async throws {
        let directory = try TemporaryDirectory()
        let (path, filler) = (directory.file(), directory.file("filler"))
        try await ProbeProcess.use(launcher: Mount.disk(of: Self.diskSize, at: directory.path)) { probe in
            try await probe.require(.fillFile(path: filler, limit: 2 << 20))
            try await probe.require(.open(engine, path: path))
            var committed = 0
            for attempt in 0..<3 {
                let replies = try await probe.askAll(.append(path: path, payloadSize: payloadSize, limit: .max))
                #expect(replies.last?.fault?.name == "diskFull", "attempt \(attempt): \(String(describing: replies.last?.fault))")
                committed = replies.compactMap(\.number).max() ?? committed
                let found = try await probe.require(.countTransactions(path: path)).number
                #expect(found == committed, "attempt \(attempt)")
            }
            #expect(committed > 0)

            let copy = try await probe.ask(.backUp(path: path, to: directory.file("copy"))).fault
            #expect(copy?.name == "diskFull", "\(String(describing: copy))")
            let names = try await probe.require(.list(directory: directory.path)).names ?? []
            #expect(!names.contains { $0.hasPrefix("copy") }, "\(names)")
            if let fault = try await probe.ask(.compact(path: path)).fault { #expect(fault.name == "diskFull", "\(fault)") }
            if let fault = try await probe.ask(.close(path: path)).fault { #expect(fault.name == "diskFull", "\(fault)") }

            try await probe.require(.open(engine, path: path))
            let foundWhileFull = try await probe.require(.countTransactions(path: path)).number
            #expect(foundWhileFull == committed, "opened while the disk is full")

            try await probe.require(.removeFile(path: filler))
            let more = try await probe.askAll(.append(path: path, payloadSize: payloadSize, limit: 5))
            #expect(more.last?.fault == nil, "with room again: \(String(describing: more.last?.fault))")
            try await probe.require(.close(path: path))
            try await probe.require(.open(engine, path: path))
            let foundAtLast = try await probe.require(.countTransactions(path: path)).number
            #expect(foundAtLast == committed + 5)
        }
    }

    @Test(arguments: Engine.persistent) func aBackupNamesTheDiskThatIsFull(engine: Engine) async throws {
        let (directory, target) = (try TemporaryDirectory(), try TemporaryDirectory())
        let (path, copy) = (directory.file(), target.file("copy"))
        try await ProbeProcess.use(launcher: Mount.disk(of: Self.diskSize, at: target.path)) { probe in
            try await probe.require(.open(engine, path: path))
            try await probe.require(.fill(path: path))
            try await probe.require(.fillFile(path: target.file("filler"), limit: Self.diskSize))
            let fault = try await probe.ask(.backUp(path: path, to: copy)).fault
            #expect(fault?.name == "diskFull", "\(String(describing: fault))")
            #expect(fault?.message.contains(copy) == true && fault?.message.contains(path) == false, "\(String(describing: fault))")
            let faults = try await probe.faults(ofSample: path)
            #expect(faults.isEmpty)
        }
    }

    @Test(arguments: Engine.persistent) func fullWhenAStoreIsMade(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        let (path, filler) = (directory.file(), directory.file("filler"))
        try await ProbeProcess.use(launcher: Mount.disk(of: Self.diskSize, at: directory.path)) { probe in
            // From no room at all up to almost enough.
            for room in [0, 4_096, 12_288, 40_960, 122_880, 270_336, 290_816] {
                try await probe.require(.fillFile(path: filler, limit: Self.diskSize - room))
                if let fault = try await probe.ask(.open(engine, path: path)).fault {
                    #expect(fault.name == "diskFull", "\(room) bytes of room: \(fault)")
                } else {
                    if let fault = try await probe.ask(.close(path: path)).fault { #expect(fault.name == "diskFull", "\(room) bytes: \(fault)") }
                }
                try await probe.require(.removeFile(path: filler))
            }
            try await probe.require(.open(engine, path: path))
            try await probe.require(.fill(path: path))
            let faults = try await probe.faults(ofSample: path)
            #expect(faults.isEmpty)
        }
    }
}
