import Foundation
import TestSupport
import Testing
import Trove

@testable import TroveCLI

/// `trove group`, against a plain loop over the records.
@Suite struct GroupTests {
    private static let artists = ["Ann", "Bo", "Cid", "∅", "=1"]

    private static let songs: [Song] = (0..<200).map { (number: Int) -> Song in
        let rating: Double? = number % 3 == 0 ? nil : Double(number % 10) / 2
        let released: Date? = number % 4 == 0 ? Date(timeIntervalSinceReferenceDate: Double(number) * 86_400) : nil
        return Song(id: number, title: "song \(number)", artist: artists[number * 7 % 5], year: 1_950 + number % 11, rating: rating, released: released)
    }

    private func fixture(_ engine: Engine) throws -> CommandFixture {
        try CommandFixture(engine) { store in
            try store.save(Self.songs)
            try store.documents("notes").save((0..<60).map { (number: Int) -> Document in
                let author: StoredValue = number % 5 == 0 ? .null : .object(["name": .string("a\(number % 4)"), "born": .int(Int64(1_900 + number % 3))])
                let rating: StoredValue = number % 2 == 0 ? .int(Int64(number)) : .double(Double(number) / 2)
                return Document(.object(["author": author, "rating": rating, "tags": .array([.string("x")])]))
            })
        }
    }

    @Test(arguments: Engine.persistent) func groupsAreThoseOfALoop(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let chosen = Self.songs.filter { $0.year > 1_952 }
        let expected = Dictionary(grouping: chosen, by: \.artist).map { artist, songs -> [String] in
            let (ratings, years) = (songs.compactMap(\.rating), songs.map(\.year))
            let average = ratings.reduce(0, +) / Double(ratings.count)
            return [artist, String(songs.count), String(years.reduce(0, +)), String(average), String(ratings.min() ?? 0), String(years.max() ?? 0), String(Set(years).count)]
        }.sorted { $0[0] < $1[0] }
        let line = "trove group music.store Song 'year > 1952' --by artist --count --sum year --average rating --min rating --maximum year --distinct year"
        let answer = try fixture.run(line + " -o csv")
        #expect(answer.status == 0 && answer.errors.isEmpty, "\(answer)")
        let rows = CSVReader.rows(answer.output)
        #expect(rows.first == ["artist", "count", "sum(year)", "average(rating)", "minimum(rating)", "maximum(year)", "distinct(year)"])
        #expect(rows.dropFirst().map { $0.map { $0 ?? "" } } == expected)
        // A condition on the groups, an order and a window.
        let ranked = try CSVReader.rows(fixture.run(line + " --having \"average(rating) >= 2 and artist != 'Bo'\" --sort 'average desc, sum( year )' --limit 2 --offset 1 -o csv").output).dropFirst()
        func place(_ row: [String]) -> (Double, Int) { (-(Double(row[3]) ?? 0), Int(row[2]) ?? 0) }
        let ordered = expected.filter { place($0).0 <= -2 && $0[0] != "Bo" }.sorted { place($0) < place($1) }
        #expect(ranked.map { $0.map { $0 ?? "" } } == Array(ordered.dropFirst().prefix(2)))
        #expect(try fixture.run("trove group music.store Song --by artist --sort \"count desc, artist\" --limit 1 -o csv").output == "artist,count\n=1,40\n")
    }

    @Test(arguments: Engine.persistent) func severalKeysAndPathsIntoDocuments(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let answer = try fixture.run("trove group music.store notes --by author.name,author.born --count --sum rating --sort 'author.name desc, \"author.born\"'")
        var expected: [String: (count: Int, sum: Double)] = [:]
        for number in 0..<60 {
            let key = number % 5 == 0 ? "nil" : "a\(number % 4) \(1_900 + number % 3)"
            expected[key, default: (0, 0)].count += 1
            expected[key]!.sum += number % 2 == 0 ? Double(number) : Double(number) / 2
        }
        let rows = try answer.output.split(separator: "\n").map { try StoredValue(json: String($0)) }
        #expect(answer.status == 0 && rows.count == expected.count, "\(answer)")
        func at(_ row: StoredValue, _ name: String) -> StoredValue? { if case .object(let values) = row { values[name] } else { nil } }
        for row in rows {
            var key = "nil"
            if case .string(let name)? = at(row, "author.name"), case .int(let born)? = at(row, "author.born") { key = "\(name) \(born)" }
            let group = try #require(expected[key], "\(row)")
            #expect(at(row, "count") == .int(Int64(group.count)))
            let sum = try #require(at(row, "sum(rating)"))
            #expect(sum == .double(group.sum) || sum == .int(Int64(group.sum)), "\(row)")
        }
        let names = rows.map { if case .string(let name)? = at($0, "author.name") { name } else { "" } }
        #expect(names == names.sorted(by: >))
        // By references, dates, ids and parts of lists.
        #expect(try fixture.run("trove group music.store notes --by 'tags[0]' -o csv").output == "tags[0],count\nx,60\n")
        #expect(try fixture.run("trove group music.store Song --by '$id' --limit 2 -o csv").output == "$id,count\n0,1\n1,1\n")
        #expect(try fixture.run("trove group music.store Song --distinct '$id' --max released -o csv").output == "maximum(released),distinct($id)\n2001-07-16T00:00:00Z,200\n")
    }

    /// Names with spaces, and columns that would have one name.
    @Test(arguments: Engine.persistent) func namesOfColumns(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine) { store in
            try store.documents("items").save([["unit price": 2, "count": "many"], ["unit price": 3, "count": "few"]])
        }
        let sum = "trove group music.store items --sum '\"unit price\"' --sum '\"unit price\"' -o csv"
        #expect(try fixture.run(sum + " --having 'sum(\"unit price\") > 3'").output == "\"sum(\"\"unit price\"\")\"\n5\n")
        #expect(try fixture.run(sum + " --having 'sum( \"unit price\" ) > 5'").status == 1)
        let twice = try fixture.run("trove group music.store items --by count")
        #expect(twice.status == 2 && twice.errors.contains("two columns are called 'count'"), "\(twice)")
        for list in ["--by ,", "--sum count,", "--distinct ' '"] {
            let missing = try fixture.run("trove group music.store items \(list)")
            #expect(missing.status == 2 && missing.errors.contains("one of them is missing"), "\(list): \(missing)")
        }
        #expect(try fixture.run("trove group music.store items --by '\"a,,b\"'").status == 0)
        let ordered = try fixture.run("trove group music.store items --by 'count desc'")
        #expect(ordered.status == 2 && ordered.errors.contains("which have no order; --sort has one"), "\(ordered)")
        #expect(try fixture.run("trove group music.store items --by count --sum '\"unit price\"' -o csv").output.hasSuffix("few,3\nmany,2\n"))
    }

    @Test(arguments: Engine.persistent) func oneRowWithoutKeys(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let ratings = Self.songs.compactMap(\.rating)
        #expect(try fixture.run("trove group music.store Song --average rating").output == "{\"average(rating)\":\(ratings.reduce(0, +) / Double(ratings.count))}\n")
        #expect(try fixture.run("trove group music.store Song").output == "{\"count\":200}\n")
        #expect(try fixture.run("trove aggregate music.store Song 'year = 1800' --sum year --avg year,rating") == .init(status: 0, output: "{\"sum(year)\":0,\"average(year)\":null,\"average(rating)\":null}\n", errors: ""))
        #expect(try fixture.run("trove group music.store Song 'year = 1800' --by artist") == .init(status: 1, output: "", errors: ""))
        #expect(try fixture.run("trove group music.store Song --having 'count > 1000'") == .init(status: 1, output: "", errors: ""))
        // The limit of the criteria is one of records.
        #expect(try fixture.run("trove group music.store Song 'true order by $id limit 7' --sum year").output == "{\"sum(year)\":\(Self.songs.prefix(7).reduce(0) { $0 + $1.year })}\n")
    }

    @Test(arguments: Engine.persistent) func everyFormat(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        func answer(_ format: String) throws -> String { try fixture.run("trove group music.store Song \"artist in ('Ann', '∅')\" --by artist --count --minimum released -o \(format)").output }
        #expect(try answer("table") == "artist  count  minimum(released)\nString\n──────  ─────  ────────────────────\nAnn        40  2001-01-01T00:00:00Z\n\"∅\"        40  2001-01-05T00:00:00Z\n")
        #expect(try answer("line").hasPrefix("artist            = Ann\ncount             = 40\n"))
        #expect(try answer("json") == "[\n{\"artist\":\"Ann\",\"count\":40,\"minimum(released)\":{\"$date\":\"2001-01-01T00:00:00Z\"}},\n{\"artist\":\"∅\",\"count\":40,\"minimum(released)\":{\"$date\":\"2001-01-05T00:00:00Z\"}}\n]\n")
        #expect(try answer("csv") == "artist,count,minimum(released)\nAnn,40,2001-01-01T00:00:00Z\n∅,40,2001-01-05T00:00:00Z\n")
        #expect(try answer("md").hasPrefix("| artist | count | minimum(released) |\n| --- | --- | --- |\n| Ann | 40 |"))
    }

    @Test(arguments: Engine.persistent) func mistakesAreTold(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        for (arguments, message) in [
            ("Song --by artst", "no field named 'artst'; did you mean 'artist'?"), ("Song --sum artist", "cannot be added up"), ("Song --by tags", "have no order"), ("notes --by tags", "have no order"),
            ("Song --by artist --sort cuont", "no column 'cuont'; did you mean 'count'? (there are artist, count)"), ("Song --by artist --having 'average > 1'", "no column 'average'"),
            ("Song --average year,rating --sort average", "no column 'average'"), ("Song --by artist --having 'count >'", "expected"), ("Song --by ''", "is to name values with commas between"), ("Song --limit -1", "--limit is at least 0, not -1"),
            ("Sonq --by artist", "there is no model 'Sonq'; did you mean 'Song'?"),
        ] {
            let answer = try fixture.run("trove group music.store \(arguments)")
            #expect(answer.status == 2 && answer.errors.contains(message) && answer.output.isEmpty, "\(arguments): \(answer)")
        }
    }

    /// Documents may have any names; one that none has is told where nothing comes of it.
    @Test(arguments: Engine.persistent) func namesThatNoDocumentHas(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let names = "(there are author, rating, tags)"
        #expect(try fixture.run("trove group music.store notes --by auhtor.name") == .init(
            status: 0, output: "{\"auhtor.name\":null,\"count\":60}\n", errors: "trove: no document of notes has 'auhtor'; did you mean 'author'? \(names)\n"))
        #expect(try fixture.run("trove group music.store notes --average ratings").errors == "trove: no document of notes has 'ratings'; did you mean 'rating'? \(names)\n")
        #expect(try fixture.run("trove find music.store notes 'ratign > 5 and any tags = 1'") == .init(status: 1, output: "", errors: "trove: no document of notes has 'ratign'; did you mean 'rating'? \(names)\n"))
        #expect(try fixture.run("trove find music.store notes 'rating = -1 or author.surname = 5'") == .init(
            status: 1, output: "", errors: "trove: no document of notes has 'author.surname'; did you mean 'author.name'? (there are author.born, author.name)\n"))
        #expect(try fixture.run("trove group music.store notes 'rating = -1' --by author.name") == .init(status: 1, output: "", errors: ""))
    }

    @Test(arguments: Engine.persistent) func inAShell(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let answer = try fixture.run("printf '%s\\n' '.mode csv' 'group Song \"year = 1950\" --by artist --sort \"count desc\" --limit 1' '.plans on' 'aggregate Song --max year' | trove shell music.store")
        #expect(answer.status == 0 && answer.errors.isEmpty && answer.output.hasPrefix("artist,count\n") && answer.output.hasSuffix("maximum(year)\n1960\n"), "\(answer)")
        #expect(answer.output.split(separator: "\n").count > 4, "the plan stands before the answer: \(answer.output)")
    }

    @Test func columnsInConditionsStandInQuotes() {
        #expect(GroupColumns.criteria("average(rating) > 4") == "\"average(rating)\" > 4")
        #expect(GroupColumns.criteria("avg( rating )>4 and Max(author.born) < 'min(x) ''y'''") == "\"average(rating)\">4 and \"maximum(author.born)\" < 'min(x) ''y'''")
        #expect(GroupColumns.criteria("count in (1, 2) and not(sum > 3) and \"sum(x)\" = 1 and 'it") == "count in (1, 2) and not(sum > 3) and \"sum(x)\" = 1 and 'it")
    }
}
