import TestSupport
import Trove

extension FaultOperation {
    @Sendable private static func openShelves(_ backend: any StorageBackend) throws -> ObjectStore {
        try ObjectStore(backend, durability: .relaxed, models: FaultShelf.self, FaultBook.self)
    }

    @Sendable private static func fillShelves(_ backend: any StorageBackend) throws {
        let context = ObjectContext(try openShelves(backend))
        for number in 0..<3 {
            let shelf = FaultShelf(name: "shelf \(number)")
            try context.insert(shelf)
            for book in 0..<3 {
                let book = FaultBook(title: "book \(number).\(book)")
                try context.insert(book)
                book.shelf = shelf
            }
        }
        try context.save()
    }

    /// What is on each shelf, by names: ids are new in each run.
    @Sendable private static func shelves(_ backend: any StorageBackend) throws -> [String] {
        let context = ObjectContext(try openShelves(backend))
        let shelves = try context.fetch(FaultShelf.self).all().map { "\($0.name): \($0.books.map(\.title))" }.sorted()
        let books = try context.fetch(FaultBook.self).all().map { "\($0.title) on \($0.shelf?.name ?? "none")" }.sorted()
        return shelves + books
    }

    @Sendable private static func bags(_ backend: any StorageBackend) throws -> [String] {
        let store = try open(backend)
        return try store.bags().map { "\($0.name ?? "none"): \($0.members.map(\.keyBytes))" }
            + store.fetch(FaultSong.self).ids().map(String.init)
    }

    private struct LostChanges: Error {}

    /// What live objects and bags store.
    static let objects: [FaultOperation] = [
        FaultOperation("save of a context", prepare: fillShelves, state: shelves, open: openShelves) { trial in
            let store = try openShelves(trial.backend)
            let context = ObjectContext(store)
            let shelves = try context.fetch(FaultShelf.self).sorted(by: \.name).all()
            let added = FaultBook(title: "added")
            try context.insert(added)
            added.shelf = shelves[0]
            shelves[1].books.reverse()
            shelves[1].books.removeLast()
            try context.delete(shelves[2])
            try context.insert(FaultShelf(name: "new"))
            return {
                do {
                    try context.save()
                } catch {
                    // All that was not saved is still there for the next save.
                    let isKept = context.hasChanges && context.insertedObjects.count == 2 && context.deletedObjects.count == 1
                    guard isKept, shelves[0].books.last === added, shelves[1].books.count == 2 else { throw LostChanges() }
                    throw error
                }
                guard !context.hasChanges else { throw LostChanges() }
            }
        },
        FaultOperation("undo and save of a context", prepare: fillShelves, state: shelves, open: openShelves) { trial in
            let store = try openShelves(trial.backend)
            let context = ObjectContext(store, options: ContextOptions(undo: .unlimited))
            let shelves = try context.fetch(FaultShelf.self).sorted(by: \.name).all()
            try context.undoGroup("delete") { try context.delete(shelves[0]) }
            try context.save()
            try context.undo()
            // The trial begins after the deletion.
            return { try context.save() }
        },
        FaultOperation("save of a bag", state: bags) { trial in
            let store = try open(trial.backend)
            let bag = Bag(named: "tonight", in: store)
            for number in 0..<5 { bag.add(Reference<FaultSong>(id: number)) }
            bag.add(FaultSong.sample(50))
            return {
                do {
                    try bag.save()
                } catch {
                    guard bag.hasUnsavedChanges, bag.unsavedCount == 6 else { throw LostChanges() }
                    throw error
                }
                guard !bag.hasUnsavedChanges else { throw LostChanges() }
            }
        },
        FaultOperation("change of a bag", prepare: { backend in
            try fill(backend)
            let bag = Bag(named: "tonight", in: try open(backend))
            for number in 0..<5 { bag.add(Reference<FaultSong>(id: number)) }
            try bag.save()
        }, state: bags) { trial in
            let store = try open(trial.backend)
            guard let bag = try store.bag(named: "tonight") else { throw LostChanges() }
            bag.remove(Reference<FaultSong>(id: 2))
            bag.add(Reference<FaultSong>(id: 9))
            bag.name = "tomorrow"
            return {
                do {
                    try bag.save()
                } catch {
                    guard bag.hasUnsavedChanges else { throw LostChanges() }
                    throw error
                }
            }
        },
    ]
}
