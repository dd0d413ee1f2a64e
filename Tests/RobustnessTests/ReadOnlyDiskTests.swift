import ProbeKit
import TestSupport
import Testing

/// A file system that cannot be written.
///
/// Enabled where a directory can be mounted read-only: modes alone do not make such a file system.
@Suite(.serialized, .enabled(if: Mount.isPossible, "the system does not let this process mount a directory read-only"))
struct ReadOnlyDiskTests {
    @Test(arguments: Engine.persistent) func stores(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        try await ProbeProcess.use { try await $0.makeSample(engine, directory.file()) }
        let before = try directory.contents()
        try await ProbeProcess.use(launcher: Mount.readOnly(directory.path)) { probe in
            for name in ["store", "new"] {
                let fault = try await probe.ask(.open(engine, path: directory.file(name))).fault
                #expect(fault?.name == "readOnly", "\(name): \(String(describing: fault))")
            }
        }
        #expect(try directory.contents() == before)
        let faults = try await ProbeProcess.use { try await $0.faults(ofClosedSample: directory.file(), engine) }
        #expect(faults.isEmpty)
    }


    @Test(arguments: Engine.persistent) func backupsToIt(engine: Engine) async throws {
        let (directory, target) = (try TemporaryDirectory(), try TemporaryDirectory())
        try await ProbeProcess.use(launcher: Mount.readOnly(target.path)) { probe in
            try await probe.require(.open(engine, path: directory.file()))
            try await probe.require(.fill(path: directory.file()))
            let fault = try await probe.ask(.backUp(path: directory.file(), to: target.file())).fault
            #expect(fault?.name == "readOnly", "\(String(describing: fault))")
            let faults = try await probe.faults(ofSample: directory.file())
            #expect(faults.isEmpty)
        }
        #expect(try target.contents().isEmpty)
    }
}
