import TestSupport
import Testing
import Trove

@testable import PackageCatalogueKit

/// Names that several packages provide, and circles: what the sample has too little of.
@Suite struct BreakageTests {
    private func package(_ name: String, _ depends: [String] = [], provides: [String] = []) -> CataloguePackage {
        CataloguePackage(
            name: name, version: "1", architecture: "all", description: name, depends: depends.map(Reference<CataloguePackage>.init(id:)),
            provides: provides.map(Reference<CataloguePackage>.init(id:)))
    }

    private func answer<Answer>(_ packages: [CataloguePackage], _ body: (PackageGraph) throws -> Answer) throws -> Answer {
        let fixture = try StoreFixture(.memory) { try ObjectStore($0, models: CataloguePackage.self) }
        try fixture.store.save(packages)
        return try fixture.store.read { try body(PackageGraph($0)) }
    }

    @Test func virtualNameLastsAsLongAsOneProvides() throws {
        let packages = [
            package("base"), package("exim", ["base"], provides: ["mailer"]), package("postfix", provides: ["mailer"]),
            package("list", ["mailer"]), package("archive", ["list"]),
        ]
        #expect(try answer(packages) { try $0.breaking(without: "exim") } == [])
        #expect(try answer(packages) { try $0.breaking(without: "base") } == ["exim"])
        let both = packages.dropLast(2) + [package("list", ["mailer"]), package("cron", ["base"]), package("smtp", ["postfix"])]
        #expect(try answer(Array(both)) { try $0.breaking(without: "postfix") } == ["smtp"])
        // The one provider needs the other, so both go, and with them the name.
        let chained = packages.map { $0.name == "postfix" ? package("postfix", ["exim"], provides: ["mailer"]) : $0 }
        #expect(try answer(chained) { try $0.breaking(without: "base") } == ["exim", "postfix", "list", "archive"])
    }

    @Test func nameOfPackageIsNotKeptByOthersThatProvideIt() throws {
        let packages = [package("awk"), package("mawk", provides: ["awk"]), package("script", ["awk"])]
        #expect(try answer(packages) { try $0.breaking(without: "awk") } == ["script"])
        #expect(try answer(packages) { try $0.breaking(without: "mawk") } == [])
        #expect(try answer(packages) { try $0.needs(of: "script") } == PackageNeeds(packages: ["script", "awk"]))
    }

    @Test func circlesEnd() throws {
        let packages = [package("a", ["b"]), package("b", ["c"]), package("c", ["a", "nothing"]), package("d", ["a"])]
        #expect(try answer(packages) { try $0.breaking(without: "b") } == ["a", "c", "d"])
        #expect(try answer(packages) { try $0.needs(of: "b") } == PackageNeeds(packages: ["a", "b", "c"], missing: ["nothing"]))
    }

    /// A kilobyte of the catalogue's is 1,024 bytes, and a size of 10^17 of them no integer: it ended the program.
    @Test func sizesBeyondIntegersAreShown() throws {
        var huge = package("huge")
        huge.installedSize = 100_000_000_000_000_000
        try huge.show([huge, huge], on: Console())
        #expect((Double(100_000_000_000_000_000) * 1024).asByteCount == "102400000.0 TB")
        #expect(999.asByteCount == "999 bytes" && 2_400_000.asByteCount == "2.4 MB")
    }
}
