import Foundation
import TestSupport
import Testing

@testable import Trove

/// Queries over a real package index, with answers that a Python program computed from the same file.
@Suite struct PackageDataTests {
    /// The sample, or with `TROVE_PACKAGES` the whole index in a file of uncompressed lines.
    private func file() -> (lines: URL, answers: String) {
        if let path = ProcessInfo.processInfo.environment["TROVE_PACKAGES"] { return (URL(fileURLWithPath: path), "answers-full.json") }
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return (root.appendingPathComponent("Examples/PackageCatalogue/PackageCatalogueKit/Data/packages.jsonl"), "answers.json")
    }

    private func packages<Package: Decodable>(_ type: Package.Type) throws -> [Package] {
        try String(contentsOf: file().lines, encoding: .utf8).split(separator: "\n").map {
            try JSONDecoder().decode(Package.self, from: Data($0.utf8))
        }
    }

    @Test(arguments: TestShare.engines(0)) func withIndexes(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: IndexedPackage.self) }
        let answers = try PackageAnswers.load(file().answers)
        let packages = try packages(IndexedPackage.self)
        #expect(packages.count == answers.packages)
        #expect(packages.reduce(0) { $0 + $1.depends.count } == answers.dependencies)
        try fixture.store.save(packages)
        try check(fixture.store.fetch(IndexedPackage.self), answers) { $0.name }
        let sections = try fixture.store.fetch(IndexedPackage.self).grouped(by: \.section).aggregate(.count, .sum(\.installedSize))
        check(sections.map { ($0.key, $0.values.0, $0.values.1) }, answers)
        let largest = try fixture.store.fetch(IndexedPackage.self).grouped(by: \.section).aggregate(.maximum(\.downloadSize))
        #expect(largest.map(\.values) == answers.sections.map(\.largest))
    }

    @Test(arguments: TestShare.engines(1)) func withoutIndexes(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: PlainPackage.self) }
        let answers = try PackageAnswers.load(file().answers)
        try fixture.store.save(packages(PlainPackage.self))
        try check(fixture.store.fetch(PlainPackage.self), answers) { $0.name }
        let sections = try fixture.store.fetch(PlainPackage.self).grouped(by: \.section).aggregate(.count, .sum(\.installedSize))
        check(sections.map { ($0.key, $0.values.0, $0.values.1) }, answers)
    }

    /// A store that was filled without indexes gets them when a program opens it that declares some.
    @Test(arguments: TestShare.engines(2)) func withIndexesBuiltLater(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: PlainPackage.self) }
        let answers = try PackageAnswers.load(file().answers)
        try fixture.store.save(packages(PlainPackage.self))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: IndexedPackage.self) }
        try check(fixture.store.fetch(IndexedPackage.self), answers) { $0.name }
        #expect(try fixture.store.verify().isSound)
    }

    private func check<Package: Model>(
        _ fetch: Fetch<Package, ObjectStore>, _ answers: PackageAnswers, name: (Package) -> String
    ) throws {
        for answer in answers.answers {
            let found = try fetch.matching(answer.criteria).all().map(name)
            #expect(found.count == answer.count, "\(answer.criteria)")
            #expect(PackageAnswers.hash(found) == answer.names, "\(answer.criteria)")
            #expect(try fetch.matching(answer.criteria).count() == answer.count, "\(answer.criteria)")
        }
    }

    private func check(_ sections: [(String?, Int, Int)], _ answers: PackageAnswers) {
        #expect(sections.map(\.0) == answers.sections.map(\.section))
        #expect(sections.map(\.1) == answers.sections.map(\.count))
        #expect(sections.map(\.2) == answers.sections.map(\.installed))
    }
}
