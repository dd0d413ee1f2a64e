import Foundation
import TestSupport
import Testing
import Trove

@testable import PackageCatalogueKit

/// What the example finds out about dependencies, compared with what a Python program found out from the same file.
@Suite struct PackageGraphTests {
    /// The sample, or with `TROVE_PACKAGES` the whole index in a file of uncompressed lines.
    private func source() -> (path: String, answers: String) {
        if let path = ProcessInfo.processInfo.environment["TROVE_PACKAGES"] { return (path, "answers-full.json") }
        var root = URL(filePath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        return (root.appending(path: "Examples/PackageCatalogue/PackageCatalogueKit/Data/packages.jsonl").path, "answers.json")
    }

    private func packages() throws -> [CataloguePackage] {
        var packages: [CataloguePackage] = []
        var reader = try PackageReader(path: source().path)
        while let package = try reader.next() { packages.append(package) }
        return packages
    }

    /// A store with all packages.
    private func fixture(_ engine: Engine, _ packages: [CataloguePackage]) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: CataloguePackage.self) }
        try fixture.store.save(packages)
        return fixture
    }

    private typealias Names = PackageGraphAnswers.Names

    @Test(arguments: Engine.allCases) func answers(engine: Engine) throws {
        let answers = try PackageGraphAnswers.load(source().answers)
        let fixture = try fixture(engine, packages())
        try fixture.store.read { snapshot in
            let graph = PackageGraph(snapshot)
            #expect(try snapshot.fetch(CataloguePackage.self).count() == answers.packages)
            for answer in answers.answers { try check(graph, answer) }

            let mostNeeded = try graph.mostNeeded(answers.mostNeeded.count)
            #expect(mostNeeded == answers.mostNeeded.map { NeededName(name: $0.name, dependents: $0.count) })
            for needed in mostNeeded { #expect(try graph.dependents(of: needed.name).count() == needed.dependents, "\(needed.name)") }

            for virtual in answers.virtual {
                #expect(try graph.providers(of: virtual.name).ids() == virtual.providers, "\(virtual.name)")
                #expect(try Names(graph.dependents(of: virtual.name).ids()) == virtual.dependents, "\(virtual.name)")
            }
            for section in answers.sections { try check(snapshot, section) }
            #expect(try Names(snapshot.fetch(CataloguePackage.self).unreferenced().ids()) == answers.unreferenced)
        }
    }

    private func check(_ graph: PackageGraph, _ answer: PackageGraphAnswers.Package) throws {
        let needs = try graph.needs(of: answer.name)
        #expect(Names(needs.packages) == answer.needs, "\(answer.name)")
        #expect(needs.virtual == answer.virtual, "\(answer.name)")
        #expect(needs.missing == Set(answer.missing), "\(answer.name)")
        #expect(try Names(graph.dependents(of: answer.name).ids()) == answer.dependents, "\(answer.name)")
        #expect(try Names(graph.recommenders(of: answer.name).ids()) == answer.recommenders, "\(answer.name)")
        #expect(try Names(graph.breaking(without: answer.name)) == answer.breaks, "\(answer.name)")
    }

    /// Conditions through a relationship, made in Swift and as text.
    private func check(_ snapshot: ReadTransaction, _ answer: PackageGraphAnswers.Section) throws {
        let (packages, section) = (snapshot.fetch(CataloguePackage.self), answer.section)
        #expect(try Names(packages.where { $0.depends.any { $0.section == section } }.ids()) == answer.dependents, "\(section)")
        #expect(try Names(packages.matching("any depends (section = ?)", section).ids()) == answer.dependents, "\(section)")
        let only = packages.where { !$0.depends.isEmpty && $0.depends.all { $0.section == section } }
        #expect(try Names(only.ids()) == answer.onlyDependents, "\(section)")
    }

    @Test(arguments: Engine.allCases) func danglingNames(engine: Engine) throws {
        let answers = try PackageGraphAnswers.load(source().answers)
        let packages = try packages()
        let fixture = try fixture(engine, packages)
        let dangling = try fixture.store.danglingReferences()
        let counts = Dictionary(grouping: dangling, by: \.source.field).mapValues(\.count)
        #expect(counts == ["depends": answers.dangling.depends, "recommends": answers.dangling.recommends, "provides": answers.dangling.provides])
        let report = try fixture.store.verify()
        #expect(report.isSound)
        #expect(report.danglingReferenceCount == dangling.count)
        let names = Set(packages.map(\.name))
        let expected = packages.filter { package in (package.depends + package.recommends + package.provides).contains { !names.contains($0.id) } }
        #expect(try Names(fixture.store.fetch(CataloguePackage.self).withDanglingReferences().ids()) == Names(expected.map(\.name)))
    }

    /// A package that others need cannot be deleted without them, and nothing is changed; with all that break without it, it can.
    @Test(arguments: Engine.allCases) func removal(engine: Engine) throws {
        let answers = try PackageGraphAnswers.load(source().answers)
        let fixture = try fixture(engine, packages())
        for answer in answers.answers where answer.breaks.count < answers.packages / 2 {
            try removal(of: answer, in: fixture.store)
        }
        #expect(try fixture.store.fetch(CataloguePackage.self).count() == answers.packages)
        #expect(try fixture.store.verify().isSound)
    }

    private func removal(of answer: PackageGraphAnswers.Package, in store: ObjectStore) throws {
        struct ChangeOfMind: Error {}
        if answer.dependents.count > 0 {
            let error = #expect(throws: TroveError.self, "\(answer.name)") { try store.delete(CataloguePackage.self, id: answer.name) }
            guard case .deletionDenied(_, answer.name, let blockers)? = error else {
                Issue.record("\(answer.name): \(String(describing: error))")
                return
            }
            let dependents = try store.read { Set(try PackageGraph($0).dependents(of: answer.name).ids()) }
            #expect(!blockers.isEmpty)
            #expect(blockers.allSatisfy { dependents.contains($0.id) }, "\(answer.name)")
        }
        #expect(throws: ChangeOfMind.self) {
            try store.write { transaction in
                let count = try transaction.fetch(CataloguePackage.self).count()
                let broken = try PackageGraph(transaction).breaking(without: answer.name)
                #expect(try transaction.delete(CataloguePackage.self, ids: [answer.name] + broken) == answer.breaks.count + 1)
                #expect(try transaction.fetch(CataloguePackage.self).count() == count - answer.breaks.count - 1)
                throw ChangeOfMind()
            }
        }
    }
}
