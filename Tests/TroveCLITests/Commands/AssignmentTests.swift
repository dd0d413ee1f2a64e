import Foundation
import TestSupport
import Testing
import Trove

/// What `set` takes away, tells and refuses, and objects that a condition names.
@Suite struct AssignmentTests {
    private static let id = "0192f0c1-0000-7000-8000-000000000001"

    private func fixture(_ engine: Engine) throws -> CommandFixture {
        try CommandFixture(engine) { store in
            try Music.fill(store)
            try store.documents("packages").save((0..<6).map { number in
                Document([
                    "name": .string("p\(number)"), "version": .string("1.\(number)"), "size": .int(Int64(number)), "depends": .array([.string("libc6")]),
                ], id: ObjectID(UUID(uuidString: "0192f0c1-0000-7000-8000-00000000000\(number)")!))
            })
        }
    }

    @Test(arguments: Engine.persistent) func attributesAreTakenAway(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        _ = try fixture.run("trove copy music.store before")
        #expect(try fixture.run("trove set music.store packages \(Self.id) verzion=null --write").status == 0)
        // An explicit nil is something, to an export as to a comparison.
        let differing = try fixture.run("trove diff before music.store -o csv")
        #expect(differing == .init(status: 1, output: "difference,model,$id,property,first,second\nonly in second,packages,\(Self.id),verzion,,\n", errors: ""))
        #expect(try fixture.run("trove export music.store").output != fixture.run("trove export before").output)
        #expect(try fixture.run("trove set music.store packages \(Self.id) --unset verzion --write -o csv").output == "change,model,id\nchanged,packages,\(Self.id)\n")
        #expect(try fixture.run("trove diff before music.store").status == 0)
        #expect(try fixture.run("trove export music.store").output == fixture.run("trove export before").output)
        // Elements, several at once, beside assignments, and of a model, where it is nil.
        #expect(try fixture.run("trove set music.store packages \(Self.id) 'depends=[\"a\",\"b\"]' size=9 --unset 'depends[0]' --unset name --write").status == 0)
        let left = try fixture.run("trove get music.store packages \(Self.id)").output
        #expect(left.contains(#""depends":["a","b"]"#) && !left.contains("\"name\"") && left.contains("\"size\":9"), "what is taken away goes first: \(left)")
        #expect(try fixture.run("trove set music.store Song 1 --unset rating --write").status == 0)
        #expect(try fixture.run("trove get music.store Song 1").output.contains("\"rating\":null"))
        #expect(try fixture.run("trove set music.store Song 1 --unset title --write").status == 2)
        #expect(try fixture.run("trove set music.store packages \(Self.id) --unset nothing --write") == .init(status: 1, output: "", errors: "trove: there is no value at 'nothing' to take away\n"))
    }

    @Model fileprivate struct Bill {
        let id: Int
        var price: Decimal?
        var length: Duration?
        var weight: Double
        var share: Float?
    }

    /// The digits are those of the property's type, as in a condition; a number that is none has not changed.
    @Test(arguments: Engine.persistent) func numbersAreReadForTheirProperty(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine, nil)
        let store = try ObjectStore(engine.open(fixture.directory.file("bills.store")), models: Bill.self)
        try store.save(Bill(id: 1, weight: .nan))
        try store.close()
        let answer = try fixture.run("trove set bills.store Bill 1 price=0.10 length=2.5 --write --values")
        #expect(answer.status == 0, "\(answer)")
        #expect(!answer.output.contains("weight"), "\(answer.output)")
        #expect(try fixture.run("trove set bills.store Bill 1 length=2 --write").status == 0)
        let left = try fixture.run("trove get bills.store Bill 1").output
        #expect(left.contains(#"{"$decimal":"0.1"}"#) && left.contains(#""length":{"$duration":"2"#), "\(left)")
        #expect(try fixture.run("trove set bills.store Bill 1 price=much --write").status == 2)
        // Integers are rounded as other digits are.
        for (assignment, written) in [
            ("share=0.1", #""share":{"$float":0.1}"#), ("share=3", #""share":{"$float":3"#), ("share=16777217", #""share":{"$float":16777216"#), ("share=-2.5e3", #""share":{"$float":-2500"#),
            ("weight=0.1", #""weight":0.1"#), ("weight=2", #""weight":2"#), ("weight=9007199254740993", #""weight":9007199254740992"#),
        ] {
            #expect(try fixture.run("trove set bills.store Bill 1 \(assignment) --write").status == 0, "\(assignment)")
            #expect(try fixture.run("trove get bills.store Bill 1").output.contains(written), "\(assignment)")
        }
        for value in ["1e300", "much"] { #expect(try fixture.run("trove set bills.store Bill 1 share=\(value) --write").status == 2, "\(value)") }
    }

    fileprivate struct Address: Codable, Equatable {
        var zip: String
        var floor: Int
        var note: String?
    }

    @Model fileprivate struct Person {
        let id: Int
        var address: Address
        var info: StoredValue
        var names: [String] = []
        var life: Lazy<String> = Lazy("")
    }

    /// Digits are a text where one belongs: a number in its place would be nothing that the program reads.
    @Test(arguments: Engine.persistent) func digitsAreATextWhereOneBelongs(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine, nil)
        let store = try ObjectStore(engine.open(fixture.directory.file("people.store")), models: Person.self)
        try store.save(Person(id: 1, address: Address(zip: "0150", floor: 2), info: ["kind": "x"], names: ["a", "b"]))
        try store.close()
        let answer = try fixture.run("trove set people.store Person 1 address.zip=1501 address.floor=3 info.kind=5 'names[0]=1959' life=true 'address.note=\"7\"' --write")
        #expect(answer.status == 0, "\(answer)")
        let again = try ObjectStore(engine.open(fixture.directory.file("people.store")), models: Person.self)
        let person = try #require(try again.fetch(Person.self, id: 1))
        #expect(person.address == Address(zip: "1501", floor: 3, note: "7") && person.info == ["kind": 5] && person.names == ["1959", "b"])
        #expect(try person.life.load() == "true")
        try again.close()
    }

    @Test(arguments: Engine.persistent) func whatIsNewInACollectionIsTold(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        for (assignment, message) in [
            ("verzion=1", "no document of packages has 'verzion'; did you mean 'version'? (there are depends, name, size, version); it is new"),
            ("version=2", "version is a text in the other documents of packages, and a number in this one now; a text of digits is written 'version=\"2\"'"),
            ("depends=x", "depends is a list in the other documents of packages, and a text in this one now; an element is set by its position, 'depends[0]=x', and a whole list as 'depends=[\"x\"]'"),
            ("size=abc", "size is a number in the other documents of packages, and a text in this one now"),
        ] {
            let answer = try fixture.run("trove set music.store packages \(Self.id) '\(assignment)' --dry-run -o csv")
            #expect(answer == .init(status: 0, output: "change,model,id\nchanged,packages,\(Self.id)\n", errors: "trove: \(message)\n"), "\(assignment)")
        }
        for assignment in ["version='\"2\"'", "size=2.5", "'depends[0]=x'", "name=null"] {
            #expect(try fixture.run("trove set music.store packages \(Self.id) \(assignment) --dry-run").errors == "", "\(assignment)")
        }
    }

    @Test(arguments: Engine.persistent) func whatNobodySetsIsRefused(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        for (assignment, message) in [
            ("$id=3", "'$id' cannot be set; it is told of an object and is none of its values; insert another object and delete this one"),
            ("tags[]=x", "'tags[]' cannot be set; it stands for all elements of a list; set one by its position, tags[0]=…, or the whole list, 'tags=[\"…\",\"…\"]'"), ("x", "'x' is no assignment"),
        ] {
            let answer = try fixture.run("trove set music.store packages \(Self.id) '\(assignment)' --write")
            #expect(answer.status == 2 && answer.output.isEmpty && answer.errors.contains(message), "\(assignment): \(answer)")
        }
        #expect(try fixture.run("trove set music.store Song 1 '$id=3' --write").status == 2)
        for line in ["Song 1 'title=\"unfinished'", "packages \(Self.id) 'name=\"unfinished'"] {
            #expect(try fixture.run("trove set music.store \(line) --write").status == 2, "\(line)")
        }
        #expect(try fixture.run("trove set music.store packages \(Self.id) --write").errors.contains("there is nothing to set"))
        #expect(try fixture.run("trove set music.store packages p1 size=1 --write").errors.contains("set and delete also take --where CONDITION"))
    }

    @Test(arguments: Engine.persistent) func aConditionNamesOneOrAll(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        #expect(try fixture.run("trove set music.store packages --where \"name = 'p1'\" size=70 --write -o csv").output == "change,model,id\nchanged,packages,\(Self.id)\n")
        #expect(try fixture.run("trove find music.store packages 'size = 70' --select name -o csv").output == "name\np1\n")
        let several = try fixture.run("trove delete music.store packages --where 'size < 4' --write")
        #expect(several == .init(status: 2, output: "", errors: "trove: the condition is true of 3 of packages, and one was meant; say --all to take them all\n"))
        #expect(try fixture.run("trove delete music.store packages --where 'size < 4' --all --write -o csv").output.split(separator: "\n").count == 4)
        #expect(try fixture.run("trove count music.store packages").output == "3\n")
        #expect(try fixture.run("trove delete music.store packages --where 'size = 1' --write") == .init(status: 1, output: "", errors: "trove: packages has no document of which the condition is true\n"))
        #expect(try fixture.run("trove delete music.store Album --where 'number = 1' --write -o csv").output == "change,model,id\ndeleted,Album,Kind of Blue\nchanged,Song,1\n")
        for line in ["delete music.store packages --write", "delete music.store packages x --where true --write", "delete music.store packages x --all --write", "set music.store packages --where true --write"] {
            #expect(try fixture.run("trove \(line)").status == 2, "\(line)")
        }
    }
}
