import Foundation
import TestSupport
import Testing
import TroveStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

#if os(Linux)
/// What the programs get of a store that are started while it is open.
@Suite struct DescriptorTests {
    /// The files in a directory that a program would have open which this process starts now.
    private func inheritedFiles(_ directory: TemporaryDirectory) throws -> [String] {
        let name = URL(fileURLWithPath: directory.path).lastPathComponent
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { number -> String? in
            // One that another test closes meanwhile has all flags.
            guard let descriptor = Int32(number), fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0 else { return nil }
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
            return path.flatMap { $0.contains(name) ? $0 : nil }
        }
    }

    /// With one of them they would keep the room on the disk that `compact()` and `destroy(at:)` give back, and could read and write the store.
    @Test(arguments: Engine.persistent) func startedProgramsGetNoFileOfAStore(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let store = try engine.open(directory.file())
        func fill(_ mark: UInt8) throws {
            try store.write(.durable) { writer in
                let keyspace = try writer.createKeyspace(named: "data")
                for number in UInt8(0)..<100 { try writer.put([number, mark], [UInt8](repeating: mark, count: 100), in: keyspace) }
            }
        }
        for mark in UInt8(0)..<2 {
            try fill(mark)
            #expect(try inheritedFiles(directory) == [])
            _ = try store.read { try $0.keyspaceNames() }
            try store.compact()
            #expect(try inheritedFiles(directory) == [])
        }
        try fill(2)
        #expect(try inheritedFiles(directory) == [])
        try store.close()
        let reader = try engine.openReadOnly(directory.file())
        #expect(try reader.read { try $0.keyspaceNames() } == ["data"])
        #expect(try inheritedFiles(directory) == [])
        try reader.close()
    }
}
#endif
