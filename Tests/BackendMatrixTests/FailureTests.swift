import EngineSupport
import Foundation
import Testing
import TroveMemory
@testable import TroveTesting

/// What a failure of the specification tells.
@Suite struct FailureTests {
    private static func failure(of name: String, _ mutant: Mutant) async throws -> SpecificationFailure {
        let specification = try #require(BackendSpecification.cases.first { $0.name == name })
        let factory = BackendFactory(name: "broken", kind: .inMemory) { path in try MutantBackend(mutant, hasFiles: false, path: path) }
        let failure = await #expect(throws: SpecificationFailure.self) { try await specification.run(on: factory) }
        return try #require(failure)
    }

    @Test func `it says what the case checks, and of which guarantee`() async throws {
        let failure = try await Self.failure(of: "cursors.walk-far", .stepsOverEntriesFarIn)
        #expect(failure.expectation == "the key after 15000 steps up in a read to be 14999")
        #expect(failure.found == "15000")
        #expect(failure.requirements == ["guarantee 1 Order", "Scans and cursors"])
        #expect(failure.description.contains("guarantee 1 Order, Scans and cursors: A cursor comes to each of 25,000 entries once"))
    }

    @Test func `of long lists it names the sizes and the first difference`() async throws {
        let failure = try await Self.failure(of: "ranges.every-bound-of-many", .endsRangesBeforeEdges)
        #expect(failure.expectation.hasSuffix("to be 4 elements, of which element 3 is [00 00 00 7f] = [00 00 00 2a]"))
        #expect(failure.found == "3 elements, which end before element 3")
    }

    @Test func `an error that nobody expected is located in its case`() async throws {
        let failure = try await Self.failure(of: "limits.keyspace-count", .claimsMoreKeyspaces)
        #expect(failure.expectation == "no error")
        #expect(failure.file.hasSuffix("BackendSpecification+Limits.swift"))
        #expect(failure.found.hasSuffix("no check came before it"))
    }

    /// One that works until a signal is raised worked on for ever when another thread had failed: the signal took no notice of being raised any more.
    @Test func `a thread that fails ends those that go on until a signal`() async {
        let specification = SpecificationCase("failure.of-a-thread", "Threads end.") { run in
            let stop = run.signal("the end")
            let failing = run.worker { throw SpecificationRun.Deliberate(number: 7) }
            let busy = run.worker { while !stop.isRaised { Thread.sleep(forTimeInterval: 0.001) } }
            let failure = Result { try failing.join() }
            stop.raise()
            try busy.join()
            try failure.get()
        }
        let failure = await #expect(throws: SpecificationFailure.self) {
            try await specification.run(on: BackendFactory(name: "memory", kind: .inMemory) { MemoryBackend(name: $0) }, timeLimit: .seconds(60))
        }
        #expect(failure?.isTimeOut == false && failure?.found.contains("Deliberate(number: 7)") == true, "\(failure?.description ?? "")")
    }

    @Test func `what fails in cleaning up names case and engine`() async throws {
        struct Stuck: Error {}
        let specification = SpecificationCase("failure.of-cleaning", "Stores are removed.") { run in _ = try run.open() }
        let factory = BackendFactory(name: "memory, stuck", kind: .inMemory, destroy: { _ in throw Stuck() }) { MemoryBackend(name: $0) }
        let failure = await #expect(throws: SpecificationFailure.self) { try await specification.run(on: factory) }
        #expect(failure?.caseName == "failure.of-cleaning" && failure?.engine == "memory, stuck")
        #expect(failure?.found.contains("Stuck()") == true && failure?.found.contains("closed and removed") == true, "\(failure?.found ?? "")")
    }

    /// A store whose name goes on in another way is another store.
    @Test func `a factory removes the files of one store`() throws {
        let directory = try TemporaryDirectory()
        let names = ["store", "store-wal", "store.lock", "store_1", "store2", "stores", "other"]
        for name in names { try Data().write(to: URL(fileURLWithPath: directory.file(name))) }
        try BackendFactory(name: "files") { MemoryBackend(name: $0) }.destroy(directory.file())
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["other", "store2", "stores"])
    }
}
