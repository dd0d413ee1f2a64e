import Foundation
import ProbeKit
import TestSupport
import Testing

/// A file of another engine or of no engine is refused and left as it is, with nothing beside it.
@Suite(.serialized) struct ForeignFileTests {
    @Test(arguments: Engine.persistent, Engine.persistent) func filesOfOtherEngines(of: Engine, openedWith: Engine) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        try await ProbeProcess.use { probe in
            try await probe.makeSample(of, path)
            let before = try directory.contents()
            let fault = try await probe.ask(.open(openedWith, path: path)).fault
            if of == openedWith {
                #expect(fault == nil)
                return
            }
            #expect(fault?.name == "notAStore")
            #expect(fault?.message.contains(path) == true)
            #expect(try directory.contents() == before)
            let faults = try await probe.faults(ofClosedSample: path, of)
            #expect(faults.isEmpty)
        }
    }

    private static let otherFiles: [String: [UInt8]] = [
        "one byte": [0x53],
        "a letter": Array("Dear Sir or Madam,\n".utf8),
        "a long text": Array(String(repeating: "All work and no play makes Jack a dull boy.\n", count: 400).utf8),
        "zeros": [UInt8](repeating: 0, count: 20_000),
        "ones": [UInt8](repeating: 0xFF, count: 20_000),
        "random bytes": Item.sample(97 * 11).payload + [],
        "an image": [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 7, count: 9_000),
        "an archive": [0x1F, 0x8B, 0x08, 0x00] + [UInt8](repeating: 9, count: 5_000),
    ]

    @Test(arguments: Engine.persistent, otherFiles.keys.sorted()) func filesOfNoEngine(engine: Engine, name: String) async throws {
        let directory = try TemporaryDirectory()
        try directory.write(try #require(Self.otherFiles[name]), to: "store")
        let before = try directory.contents()
        let fault = try await ProbeProcess.use { try await $0.ask(.open(engine, path: directory.file())).fault }
        #expect(fault?.name == "notAStore", "\(String(describing: fault))")
        #expect(try directory.contents() == before)
    }
}
