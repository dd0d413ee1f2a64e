import Trove

/// What the program was, and what it is now.
enum Upgrade: Recipe {
    enum Before {
        @Model("Person")
        struct Person {
            var first: String
            var last: String
            var age: String
        }
    }

    enum Now {
        @Model("Person", version: 2)
        struct Person {
            var name = ""
            @Attribute(.indexed) var age: Int?
            var isMember = false

            mutating func upgrade(from old: StoredRecord) throws {
                name = "\(try old.value(of: "first", as: String.self)) \(try old.value(of: "last", as: String.self))"
                age = Int(try old.value(of: "age", as: String.self))
            }
        }
    }

    static let title = "a model that changes: new properties, another type, a new index"
    static let printed = ["Ann Archer, 41", "Bill Evans, age unknown"]

    static func run(in place: Place, print: @Sendable (String) -> Void) throws {
        let old = try ObjectStore(place.backend(), models: Before.Person.self)
        try old.save([Before.Person(first: "Bill", last: "Evans", age: "?"), Before.Person(first: "Ann", last: "Archer", age: "41")])
        try old.close()

        // Opening builds the index; a record stays as it was written until it is saved again.
        let store = try ObjectStore(place.backend(), models: Now.Person.self)
        for person in try store.fetch(Now.Person.self).sorted(by: \.name).all() {
            print("\(person.name), \(person.age.map(String.init) ?? "age unknown")")
        }
        // All at once, while the store is in use.
        try store.upgrade(Now.Person.self)
        try store.close()
    }
}
