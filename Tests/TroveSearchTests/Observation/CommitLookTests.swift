import TestSupport
import Testing
import TroveBackendKit
import TroveStorage
import TroveTesting

@testable import TestModels
@testable import Trove

/// A look finds each commit once, whoever made it, and nothing else.
@Suite struct CommitLookTests {
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Country.self) }
    }

    @Test(arguments: Engine.allCases) func commitsAreNews(engine: Engine) throws {
        let fixture = try fixture(engine), store = fixture.store
        defer { withExtendedLifetime(fixture) {} }
        let other = try ObjectStore(engine.open(fixture.directory.file()), durability: .relaxed, models: Country.self)
        try store.save(Country(code: "no", name: "Norway"))
        var look = store.commitLook()
        #expect(try look.hasNews(), "the first time")
        #expect(try !look.hasNews())
        for writer in [store, other] {
            try writer.save(Country(code: "se", name: "Sweden \(writer === store)"))
            #expect(try look.hasNews())
            #expect(try !look.hasNews())
            #expect(throws: TroveError.self) {
                try writer.write { transaction in
                    try transaction.save(Country(code: "dk", name: "Denmark"))
                    throw TroveError.transactionFinished
                }
            }
            #expect(try !look.hasNews(), "what was rolled back is no news")
            try writer.delete(Country.self, id: "se")
            #expect(try look.hasNews())
        }
        try other.close()
        let later = try engine.open(fixture.directory.file())
        try later.write(.relaxed) { _ = try $0.createKeyspace(named: "beside") }
        #expect(try look.hasNews())
        try later.close()
    }

    /// A file that one process has alone may be written late: without the engine's stamp it tells nothing.
    @Test func commitsWithoutStampsAreNews() throws {
        var look = CommitLook(StamplessBackend(MemoryBackend()))
        #expect(try look.hasNews(), "the first time")
        #expect(try look.hasNews(), "nobody can know")
    }

    @Test func whatAFailedLookWasToFindIsFoundLater() throws {
        let faults = FaultInjector()
        let backend = FaultInjectingBackend(MemoryBackend(), faults: faults)
        var look = CommitLook(backend)
        #expect(try look.hasNews())
        try backend.write(.relaxed) { _ = try $0.createKeyspace(named: "new") }
        faults.arm(FaultPlan(.nth(1), at: [.beginRead]))
        #expect(throws: StorageError.self) { try look.hasNews() }
        #expect(try look.hasNews())
        #expect(try !look.hasNews())
    }
}

/// Gives no stamps, and has a file that stays as it is.
private final class StamplessBackend: ForwardingBackend {
    let wrappedBackend: any StorageBackend
    let path = #filePath

    init(_ backend: any StorageBackend) { wrappedBackend = backend }

    func read(_ body: (any StorageReader) throws -> Void) throws {
        try wrappedBackend.read { (reader: any StorageReader) throws -> Void in try body(StamplessReader(wrappedReader: reader)) }
    }
}

private final class StamplessReader: ForwardingReader {
    let wrappedReader: any StorageReader
    let stateStamp: StateStamp? = nil

    init(wrappedReader: any StorageReader) { self.wrappedReader = wrappedReader }
}
