import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing
import TroveBackendKit
import TroveStorage

@testable import Trove

/// What a review and a first user found.
@Suite struct ContextReviewTests {
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: UndoShelf.self, UndoBook.self, UndoTag.self) }
    }

    /// A store with the book A, which has the tag x.
    private func taggedBook(_ engine: Engine) throws -> StoreFixture {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let book = UndoBook(title: "A")
        book.tags = [UndoTag(name: "x")]
        try context.insert(book)
        try context.save()
        return fixture
    }

    @Test(arguments: Engine.allCases) func twoContextsThatEachAddAChildKeepBoth(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let first = ObjectContext(fixture.store)
        let second = ObjectContext(fixture.store, options: ContextOptions(mergePolicy: .byProperty))
        let shelf = UndoShelf(name: "jazz")
        try first.insert(shelf)
        try first.save()
        let same = try #require(try second.fetch(UndoShelf.self, id: shelf.id))
        let (one, two) = (UndoBook(title: "one"), UndoBook(title: "two"))
        try first.insert(one)
        one.shelf = shelf
        try second.insert(two)
        two.shelf = same
        try first.save()
        try second.save()
        #expect(try fixture.store.fetch(UndoBook.self).sorted(by: \.title).all().map { $0.title } == ["one", "two"])
        #expect(same.books.map(\.title).sorted() == ["one", "two"])
    }

    @Test(arguments: Engine.allCases) func anInverseOfADeletedObjectIsTakenBackToo(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let shelf = UndoShelf(name: "jazz")
        try context.insert(shelf)
        shelf.books = [UndoBook(title: "A")]
        try context.save()
        let book = shelf.books[0]
        try context.delete(shelf)
        book.shelf = nil
        try context.rollback()
        #expect(shelf.books == [book])
        shelf.name = "more jazz"
        try context.save()
        #expect(try fixture.store.fetch(UndoBook.self).count() == 1)
        #expect(book.shelf === shelf)
        // What is changed while it is deleted is saved when it is inserted again.
        try context.delete(shelf)
        shelf.name = "blues"
        try context.insert(shelf)
        try context.save()
        #expect(try fixture.store.fetch(UndoShelf.self).all().map { $0.name } == ["blues"])
    }

    @Test(arguments: Engine.allCases) func assigningWhatIsGoneIsRefused(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let (shelf, book) = (UndoShelf(name: "jazz"), UndoBook(title: "A"))
        try context.insert(shelf)
        try context.insert(book)
        try context.save()
        try context.delete(shelf)
        try context.save()
        book.shelf = shelf
        #expect(throws: TroveError.self) { try context.save() }
        // A change of what is gone itself concerns nobody else; it is told.
        shelf.name = "again"
        #expect(context.faultErrors.count == 1)
        try context.save()
        #expect(try fixture.store.danglingReferences().isEmpty)
    }

    /// An object that was read as a pending deletion would leave it has its references again when that is discarded.
    @Test(arguments: Engine.allCases, [UndoLimit.none, .unlimited]) func aRefreshTakesBackWhatItsObjectDidToOthers(engine: Engine, undo: UndoLimit) throws {
        let fixture = try taggedBook(engine)
        let context = ObjectContext(fixture.store, options: ContextOptions(undo: undo))
        let tag = try #require(try context.fetch(UndoTag.self).first())
        try context.delete(tag)
        let book = try #require(try context.fetch(UndoBook.self).first())
        #expect(book.tags.isEmpty)
        try context.refresh(tag, keepingChanges: false)
        #expect(book.tags == [tag] && !context.hasChanges)
        try context.save()
        let other = ObjectContext(fixture.store)
        #expect(try other.fetch(UndoBook.self).first()?.tags.map(\.name) == ["x"])
    }

    /// A book that was read as the pending deletion of its tag would leave it, and then deleted or changed itself, came back without the tag.
    @Test(arguments: Engine.allCases, [UndoLimit.none, .unlimited]) func whatIsChangedMeanwhileHasItsReferencesAgain(engine: Engine, undo: UndoLimit) throws {
        for isDeleted in [true, false] {
            let fixture = try taggedBook(engine)
            let context = ObjectContext(fixture.store, options: ContextOptions(undo: undo))
            let tag = try #require(try context.fetch(UndoTag.self).first())
            try context.delete(tag)
            let book = try #require(try context.fetch(UndoBook.self).first())
            #expect(book.tags.isEmpty)
            if isDeleted {
                try context.delete(book)
            } else {
                book.title = "B"
                book.tags.append(UndoTag(name: "y"))
            }
            if undo == .none {
                try context.insert(tag)
                if isDeleted { try context.insert(book) }
            } else {
                #expect(try context.undo())
            }
            let isNew = !isDeleted && undo == .none
            #expect(book.title == (isNew ? "B" : "A"))
            #expect(Set(book.tags.map(\.name)) == (isNew ? ["x", "y"] : ["x"]))
            #expect(tag.books == [book])
            try context.save()
            let other = ObjectContext(fixture.store)
            let stored = try #require(try other.fetch(UndoBook.self).first())
            #expect(Set(stored.tags.map(\.name)) == (isNew ? ["x", "y"] : ["x"]))
            #expect(try fixture.store.verify().isSound)
        }
    }

    /// The title was compared with the one that the book was read with, before somebody else's was merged into it, and so taken for unchanged.
    @Test(arguments: Engine.allCases) func aPropertyThatIsSetBackStaysSo(engine: Engine) throws {
        let fixture = try taggedBook(engine)
        let (context, other) = (ObjectContext(fixture.store), ObjectContext(fixture.store))
        let tag = try #require(try context.fetch(UndoTag.self).first())
        try context.delete(tag)
        let book = try #require(try context.fetch(UndoBook.self).first())
        let theirs = try #require(try other.fetch(UndoBook.self).first())
        theirs.title = "theirs"
        try other.save()
        try context.mergeChanges()
        #expect(book.title == "theirs")
        book.title = "A"
        try context.insert(tag)
        #expect(book.title == "A" && book.tags == [tag])
        try context.save()
        let stored = try fixture.store.read { try $0.fetch(UndoBook.self).all().map(\.title) }
        #expect(stored == ["A"])
    }

    /// What was read anew while an object was brought up to pending changes was taken back by that, and the next save stored what had been before.
    @Test(arguments: Engine.allCases) func whatIsReadMeanwhileStays(engine: Engine) throws {
        var opened: ActingBackend?
        let fixture = try StoreFixture(engine) {
            let backend = ActingBackend($0)
            opened = backend
            return try ObjectStore(backend, durability: .buffered, models: UndoShelf.self, UndoBook.self, UndoTag.self)
        }
        let backend = try #require(opened)
        let filling = ObjectContext(fixture.store)
        let (first, second) = (UndoShelf(name: "first"), UndoShelf(name: "second"))
        first.books = [UndoBook(title: "A")]
        try filling.insert([first, second])
        try filling.save()
        let (context, other) = (ObjectContext(fixture.store), ObjectContext(fixture.store))
        let book = try #require(try context.fetch(UndoBook.self).first())
        book.shelf = try context.fetch(UndoShelf.self).where { $0.name == "second" }.first()
        // Its record does not tell yet that the book has left it.
        let shelf = try #require(try context.fetch(UndoShelf.self, includesPendingChanges: false).where { $0.name == "first" }.first())
        let theirs = try #require(try other.fetch(UndoShelf.self, id: shelf.id))
        backend.actAfterFailure {
            theirs.name = "theirs"
            #expect(throws: Never.self) {
                try other.save()
                try context.refresh(shelf)
            }
        }
        try context.showPendingChanges(of: shelf)
        #expect(backend.hasActed && shelf.name == "theirs" && shelf.books.isEmpty)
        try context.save()
        let stored = try fixture.store.read { try $0.fetch(UndoShelf.self).all().map(\.name) }
        #expect(Set(stored) == ["theirs", "second"])
        #expect(try fixture.store.verify().isSound)
        withExtendedLifetime(other) {}
    }

    @Test(arguments: Engine.allCases) func anOrphanLeavesItsBags(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let shelf = UndoShelf(name: "jazz")
        try context.insert(shelf)
        shelf.books = [UndoBook(title: "A"), UndoBook(title: "B")]
        try context.save()
        let bag = Bag(named: "tonight", in: fixture.store)
        bag.add(Reference<UndoBook>(id: shelf.books[0].id))
        try bag.save()
        shelf.books = [shelf.books[1]]
        try context.save()
        #expect(try fixture.store.fetch(UndoBook.self).count() == 1)
        try bag.refresh()
        #expect(bag.count == 0)
        #expect(try fixture.store.verify().isSound)
        #expect(try fixture.store.danglingReferences().isEmpty)
    }
}

/// Does something on another thread after a transaction that was taken back, before that is told.
private final class ActingBackend: ForwardingBackend {
    let wrappedBackend: any StorageBackend
    private let action = Mutex<(@Sendable () -> Void)?>(nil)

    init(_ backend: any StorageBackend) { wrappedBackend = backend }

    func actAfterFailure(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }

    var hasActed: Bool { action.withLock { $0 == nil } }

    func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        do {
            try wrappedBackend.write(durability, body)
        } catch {
            if let action = action.withLock({ $0.take() }) {
                let done = DispatchSemaphore(value: 0)
                Thread {
                    action()
                    done.signal()
                }.start()
                done.wait()
            }
            throw error
        }
    }
}
