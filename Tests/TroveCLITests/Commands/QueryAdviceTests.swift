import Foundation
import TestSupport
import Testing
import Trove

/// What a person is told who asks a collection for what no document has, in every command that asks.
@Suite struct QueryAdviceTests {
    private func fixture(_ engine: Engine) throws -> CommandFixture {
        try CommandFixture(engine) { store in
            try Music.fill(store)
            try store.documents("packages").save((0..<30).map { number in
                Document([
                    "name": .string("p\(number)"), "size": .int(Int64(number)), "depends": .array((0..<number % 4).map { .string("lib\($0)") }), "description": .string("A telescope \(number)"),
                    "lines": .array([.object(["price": .int(Int64(number))])]), "maintainer": .object(["city": "Oslo"]),
                ])
            })
        }
    }

    private static let names = "(there are depends, description, lines, maintainer, name, size)"

    @Test(arguments: Engine.persistent) func whatWasMeantIsTold(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        for (line, message) in [
            // Lists.
            ("find S packages \"depends = 'lib1'\"", "depends is a list; did you mean: any depends = 'lib1'?"), ("count S packages \"depends contains 'ib1'\"", "depends is a list; did you mean: any depends contains 'ib1'?"),
            ("count S packages \"depends in ('lib1', 'x')\"", "depends is a list; did you mean: any depends in ('lib1', 'x')?"), ("explain S packages \"depends = 'lib1'\"", "depends is a list; did you mean: any depends = 'lib1'?"),
            ("count S packages \"any name = 'p1'\"", "name is a text and no list; did you mean: name = 'p1'?"),
            // Numbers of elements.
            ("find S packages --sort 'depends.count desc' --limit 1", "no document of packages has 'depends.count'; depends is a list, and the number of its elements is count(depends)"),
            ("group S packages --sum depends.length", "the number of its elements is count(depends)"), ("find S packages --select name,depends.size --limit 1", "the number of its elements is count(depends)"),
            ("count S packages 'count(name) > 1'", "name is a text and no list, so that it has no number of elements"), ("count S packages 'lines.price > 3'", "lines is a list; a condition on any of its elements is written any lines (price = …)"),
            // Names.
            ("count S packages 'nosuch = 1'", "no document of packages has 'nosuch'; there are "), ("find S packages --sort nmae --limit 1", "no document of packages has 'nmae'; did you mean 'name'? \(Self.names)"),
            ("find S packages --sort name,desc --limit 1", "the direction stands behind its path with a space between, as in name desc"), ("explain S packages 'nmae = 1'", "no document of packages has 'nmae'"),
            ("group S packages --by nmae", "no document of packages has 'nmae'"), ("find S packages --select nmae --limit 1", "no document of packages has 'nmae'"), ("count S packages \"maintainer.town = 'Oslo'\"", "no document of packages has 'maintainer.town'"),
            ("count S packages 'name = \"p1\"'", "no document of packages has 'p1'"), ("count S packages 'size > abc'", "a text stands in single quotes: 'abc'"),
            // Kinds.
            ("count S packages \"size > '10'\"", "size is a number, and '10' a text; did you mean: size > 10?"), ("count S packages 'name = 3'", "name is a text, and 3 a number; did you mean: name = '3'?"),
            ("find S packages \"size = 'large'\"", "size is a number, and 'large' a text"),
        ] {
            let answer = try fixture.run("trove " + line.replacing("S ", with: "music.store "))
            #expect(answer.errors.hasPrefix("trove: ") && answer.errors.contains(message) && answer.status < 2, "\(line): \(answer)")
        }
    }

    /// Nothing is told of what is right.
    @Test(arguments: Engine.persistent) func nothingElseIsTold(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        for line in [
            "find S packages \"any depends = 'lib9'\"", "count S packages 'size > 1000'", "count S packages \"name = 'p1000' and count(depends) > 2\"", "find S packages 'lines[0].price = 3 and lines[7].price is nil' --sort 'name desc'",
            "find S packages --select '$id,name,depends[0],count(lines),maintainer.city'", "group S packages --by maintainer.city --sum size --max 'count(depends)'", "explain S packages 'any depth of price = 3'",
            "count S packages \"name != 'x' and not size = 1000\"", "find S Song \"title = 'x'\"",
        ] {
            let answer = try fixture.run("trove " + line.replacing("S ", with: "music.store "))
            #expect(answer.errors.isEmpty && answer.status < 2, "\(line): \(answer)")
        }
    }

    @Test(arguments: Engine.persistent) func numbersOfElements(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        func answer(_ arguments: String) throws -> String { try fixture.run("trove \(arguments)").output }
        #expect(try answer("count music.store packages 'count(depends) = 3'") == "7\n")
        #expect(try answer("find music.store packages 'size < 6' --sort 'count(depends) desc, size' --select 'name,count(depends)' -o csv") == "name,count(depends)\np3,3\np2,2\np1,1\np5,1\np0,0\np4,0\n")
        #expect(try answer("group music.store packages --by 'count(depends)' --sum 'count(lines)' --having 'count(depends) > 1 and sum > 0' -o csv") == "count(depends),sum(count(lines))\n2,7\n3,7\n")
        #expect(try answer("find music.store Song 'count(tags) = 2' --select 'title,count(tags)' -o csv").hasPrefix("title,count(tags)\nSo What,2\n"))
        #expect(try answer("count music.store Song 'count(tags) = 0' -o json") == "[\n{\"count\":2}\n]\n")
        #expect(try fixture.run("trove count music.store Song 'count(title) = 1'").status == 2)
        #expect(try fixture.run("trove find music.store Song --select 'count(titel)'").errors.contains("no property 'titel'; did you mean 'title'?"))
    }

    @Test(arguments: Engine.persistent) func mistakesAreToldByWhatWasTyped(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        func errors(_ arguments: String) throws -> String {
            let answer = try fixture.run("trove \(arguments)")
            #expect(answer.status == 2 && answer.output.isEmpty, "\(arguments): \(answer)")
            return answer.errors
        }
        #expect(try errors("find music.store packages \"depends[] = 'lib1'\"").contains("a condition on any element is written any depends = …"))
        for line in ["find music.store packages --sort 'depends[]'", "group music.store packages --by 'depends[]'"] {
            let text = try errors(line)
            #expect(text.contains("of 'depends[]'") && !text.contains("order by"), "\(text)")
        }
        #expect(try errors("find music.store packages --sort 'name limit 3'").contains("say --limit"))
        #expect(try errors("find music.store packages \"description has words 'telescope'\"").contains("search in one text instead: description contains 'telescope' ignoring case"))
        #expect(try errors("group music.store packages --sum name") == "trove: packages.name: the String cannot be added up\n")
        #expect(try errors("explain music.store packages --svg -o csv").contains("--svg draws, and -o writes; say one of them"))
        #expect(try fixture.run("trove count music.store Song -o CSV").output == "count\n4\n")
    }
}
