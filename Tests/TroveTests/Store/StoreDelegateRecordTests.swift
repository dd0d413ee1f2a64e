import Foundation
import Synchronization
import TestSupport
import Testing
import TroveBackendKit

@testable import Trove

/// Which records a store's delegate is shown, also of those that were written otherwise or that nobody can read.
@Suite struct StoreDelegateRecordTests {
    enum Before {
        @Model("Frame") struct Frame {
            let id: Int
            var height: Int
            var width: Int
        }
    }

    enum After {
        @Model("Frame") struct Frame: Equatable {
            let id: Int
            var width: Int
            var height: Int
        }
    }

    @Model struct Page: Equatable {
        let id: String
        var address: URL
    }

    /// A page with bytes in the place of the address that are none.
    @Model("Page") struct ForgedPage {
        let id: String
        var address: NoAddress
    }

    /// Stored as a URL is, and no URL.
    struct NoAddress: Storable {
        static var fieldType: FieldType { .url }
        func encodeField(into record: inout RecordEncoder) throws { try "".encodeField(into: &record) }
        static func decodeField(from record: inout RecordDecoder) throws -> NoAddress { NoAddress() }
        func encodeNested(into bytes: inout ByteWriter) throws { try "".encodeNested(into: &bytes) }
        static func decodeNested(from bytes: inout ByteReader) throws -> NoAddress { NoAddress() }
    }

    /// Keeps the changes it is told of before and after they are made.
    final class Listener: StoreDelegate {
        let told = Mutex<(will: [ObjectChange], did: [ObjectChange], committed: [ObjectChange])>(([], [], []))

        func willChange(_ change: ObjectChange) { told.withLock { $0.will.append(change) } }
        func didChange(_ change: ObjectChange) { told.withLock { $0.did.append(change) } }
        func didCommit(_ changes: [ObjectChange]) { told.withLock { $0.committed += changes } }

        /// How many changes were told before, after, and after the commit.
        var counts: [Int] { told.withLock { [$0.will.count, $0.did.count, $0.committed.count] } }

        /// The changes that were committed since the last call.
        func takeCommitted() -> [ObjectChange] {
            told.withLock { told in
                defer { told.committed = [] }
                return told.committed
            }
        }
    }

    private static let longID = String(repeating: "long", count: 200)

    /// Records were written with the height first; the delegate of `deleteAll` was shown it as the width.
    @Test(arguments: Engine.allCases) func anOlderLayoutIsShownAsTheModelIsNow(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Before.Frame.self) }
        try fixture.store.save((1...3).map { Before.Frame(id: $0, height: 10 * $0, width: $0) })
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: After.Frame.self) }
        let listener = Listener()
        fixture.store.delegate = listener
        try fixture.store.delete(After.Frame.self, id: 1)
        #expect(try fixture.store.deleteAll(After.Frame.self) == 2)
        let changes = listener.takeCommitted()
        #expect(try changes.map { try $0.old(After.Frame.self) } == (1...3).map { After.Frame(id: $0, width: $0, height: 10 * $0) })
        #expect(changes.map { $0.oldRecord?.fieldNames } == Array(repeating: ["width", "height"], count: 3))
        #expect(changes.map { $0.oldRecord?["height"] } == [.int(10), .int(20), .int(30)])
        #expect(try changes.map { try $0.old(Before.Frame.self)?.id } == [nil, nil, nil])
    }

    /// Such a record could be neither deleted nor replaced while the store had a delegate.
    @Test(arguments: Engine.allCases) func whatCannotBeReadIsNoObstacle(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: ForgedPage.self) }
        try fixture.store.save(["a", "b", "c", Self.longID, Self.longID + "2"].map { ForgedPage(id: $0, address: NoAddress()) })
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Page.self) }
        #expect(throws: TroveError.self) { try fixture.store.fetch(Page.self, id: "a") }
        let listener = Listener()
        fixture.store.delegate = listener
        let page = Page(id: "b", address: try #require(URL(string: "http://b")))
        try fixture.store.delete(Page.self, id: "a")
        try fixture.store.save(page)
        try fixture.store.delete(Page.self, id: Self.longID)
        var changes = listener.takeCommitted()
        #expect(changes.map(\.reference) == ["a", "b", Self.longID].map { AnyReference(Page.self, id: $0) })
        #expect(changes.map(\.kind) == [.deletion, .update, .deletion])
        #expect(changes.map(\.oldRecord) == [nil, nil, nil])
        #expect(try changes[1].new(Page.self) == page)
        #expect(throws: TroveError.self) { try changes[0].old(Page.self) }
        #expect(try fixture.store.deleteAll(Page.self) == 3)
        changes = listener.takeCommitted()
        #expect(changes.map(\.reference) == ["b", "c", Self.longID + "2"].map { AnyReference(Page.self, id: $0) })
        #expect(changes.map { $0.oldRecord?.key } == ["b".keyBytes, nil, nil])
    }

    /// They are shown as they were written, and told by their whole id.
    @Test(arguments: Engine.allCases) func recordsOfModelsThatTheProgramDoesNotHave(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Page.self) }
        let address = try #require(URL(string: "http://a"))
        try fixture.store.save(["a", Self.longID].map { Page(id: $0, address: address) })
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: After.Frame.self) }
        let listener = Listener()
        fixture.store.delegate = listener
        let other = try #require(URL(string: "http://other"))
        for id in ["a", Self.longID] {
            try fixture.store.write { transaction in
                var record = try #require(try transaction.storedRecord(of: "Page", key: id.keyBytes))
                try record.set("address", to: .url(other))
                try transaction.save(record)
            }
        }
        let changes = listener.takeCommitted()
        #expect(changes.map(\.kind) == [.update, .update])
        #expect(changes.map(\.reference) == ["a", Self.longID].map { AnyReference(Page.self, id: $0) })
        #expect(changes.map { $0.oldRecord?["address"] } == [.url(address), .url(address)])
        #expect(changes.map { $0.newRecord?["address"] } == [.url(other), .url(other)])
        #expect(try changes.map { try $0.new(Page.self) } == [nil, nil])
    }

    /// An engine that does not delete ranges when it is told so.
    private final class Stubborn: ForwardingBackend {
        let wrappedBackend: any StorageBackend
        let refuses = Atomic(false)

        init(_ backend: any StorageBackend) { wrappedBackend = backend }

        func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
            try wrappedBackend.write(durability) { (writer: any StorageWriter) throws -> Void in
                try body(Writer(writer, refuses: refuses.load(ordering: .relaxed)))
            }
        }

        private final class Writer: ForwardingWriter {
            let wrappedWriter: any StorageWriter
            private let refuses: Bool

            init(_ writer: any StorageWriter, refuses: Bool) {
                wrappedWriter = writer
                self.refuses = refuses
            }

            func deleteRange(_ range: KeyRange, in keyspace: Keyspace) throws -> Int {
                if refuses { throw StorageError.diskFull(.init(engine: "stubborn", path: "", message: "no")) }
                return try wrappedWriter.deleteRange(range, in: keyspace)
            }
        }
    }

    @Test(arguments: Engine.allCases) func deletionsAreToldAfterThemAndNotBefore(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let backend = Stubborn(try engine.open(directory.file()))
        let store = try ObjectStore(backend, durability: .relaxed, models: After.Frame.self)
        try store.save((1...2).map { After.Frame(id: $0, width: 1, height: 1) })
        let listener = Listener()
        store.delegate = listener
        backend.refuses.store(true, ordering: .relaxed)
        #expect(throws: StorageError.self) { try store.deleteAll(After.Frame.self) }
        #expect(listener.counts == [2, 0, 0])
        backend.refuses.store(false, ordering: .relaxed)
        #expect(try store.deleteAll(After.Frame.self) == 2)
        #expect(listener.counts == [4, 2, 2])
        try store.close()
    }
}
