import Foundation
import Testing

/// The pages of the reference name everything public, and nothing else. `make docs` checks the rest: every member has a comment,
/// and every link leads somewhere.
@Suite struct ReferenceTests {
    @Test func everyPublicNameIsOnItsModulesFirstPage() throws {
        for module in try ReferencePages.modules().sorted() {
            let reference = try ReferencePages(module: module)
            let page = try #require(reference.pages["\(module).md"], "\(module) has no page \(module).docc/\(module).md")
            #expect(ReferencePages.title(of: page) == module, "the first line of \(module).docc/\(module).md is to be '# ``\(module)``'")
            let names = ReferencePages.topLevelNames(in: reference.sources)
            let topics = ReferencePages.topics(of: page)
            #expect(!names.isEmpty)
            let missing = names.subtracting(topics).sorted()
            #expect(missing.isEmpty, "\(module).docc/\(module).md lists what is public under a heading; these are under none: \(missing)")
            let unknown = Set(topics).subtracting(names).sorted()
            #expect(unknown.isEmpty, "\(module).docc/\(module).md lists what \(module) does not declare: \(unknown)")
            #expect(Set(topics).count == topics.count, "\(module).docc/\(module).md lists something twice")
        }
    }

    @Test func pagesOfTypesNameTheirMembers() throws {
        for module in try ReferencePages.modules().sorted() {
            let reference = try ReferencePages(module: module)
            if reference.pages.count == 1 { continue }
            let names = ReferencePages.topLevelNames(in: reference.sources)
            let members = ReferencePages.memberNames(in: reference.sources).union(names.map { $0[...] })
            for (file, page) in reference.pages where file != "\(module).md" {
                let title = try #require(ReferencePages.title(of: page), "\(module).docc/\(file) has no name of a type as its title")
                #expect(names.contains(title), "\(module).docc/\(file) is of '\(title)', which \(module) does not declare")
                let unknown = ReferencePages.topics(of: page).filter { topic in
                    let member = topic.split(separator: "/").last ?? ""
                    return !members.contains(member.prefix { $0 != "(" })
                }
                #expect(unknown.isEmpty, "\(module).docc/\(file) lists what \(module) does not declare: \(unknown)")
            }
        }
    }

    @Test func linksAreAsShortAsTheyCanBe() throws {
        let modules = try ReferencePages.modules()
        for module in modules.sorted() {
            let links = ReferencePages.wordyLinks(in: try ReferencePages(module: module).sources, modules: modules)
            #expect(links.isEmpty, "links in \(module) have a module in front, or '-swift.' behind, which they do not need: \(links)")
        }
        let sample = "/// See ``all()``, ``all()-swift.method``, ``TroveStorage/KeyList`` and ``TroveError/notFound(query:)``."
        #expect(ReferencePages.wordyLinks(in: sample, modules: modules) == ["``all()-swift.method``", "``TroveStorage/KeyList``"])
    }

    /// What builds the site, and what the Swift Package Index is told, name the same modules as the manifest.
    @Test func listsOfModules() throws {
        let modules = try ReferencePages.modules()
        let script = try String(contentsOf: ReferencePages.package.appending(path: "Scripts/docs"), encoding: .utf8)
        let listed = try #require(script.firstMatch(of: /\nMODULES = \[([^\]]*)\]/)).1.matches(of: /"(\w+)"/).map { String($0.1) }
        #expect(Set(listed) == modules && listed.count == modules.count)
        let index = try String(contentsOf: ReferencePages.package.appending(path: ".spi.yml"), encoding: .utf8)
        let targets = Set(index.matches(of: /- (Trove\w*)/).map { String($0.1) })
        // Its machines have no Tokyo Cabinet and no LMDB.
        #expect(targets == modules.subtracting(["TroveLMDB", "TroveTokyoCabinet"]))
    }

    @Test func namesAreRead() {
        let sources = """
            public struct Fetch<Object: Model>: Sendable {
                public struct Part {}
                public func all() {}
            }
            @frozen public struct Word {}
            public final class Store {}
            public indirect enum Tree { case leaf }
            struct Hidden {}
            public struct _Written {}
            @_spi(Tools) public struct ForTools {}
            public func open<Value>(_ path: String, by way: (Int, Int) -> [Value] = { _ in [] }) {}
            @attached(extension, conformances: Model)
            public macro Model(_ name: String? = nil, version: Int = 1) = #externalMacro(module: "M", type: "T")
            public macro Transient() = #externalMacro(module: "M", type: "T")
            @freestanding(declaration)
            public macro Index<Object: Model, each Value>(
                _ parts: [PartialKeyPath<Object>]..., name: String? = nil, covering: [String] = ["a", "b"]
            ) = #externalMacro(module: "M", type: "T")
            """
        #expect(
            ReferencePages.topLevelNames(in: sources) == [
                "Fetch", "Word", "Store", "Tree", "open(_:by:)", "Model(_:version:)", "Transient()", "Index(_:name:covering:)",
            ])
        #expect(ReferencePages.topics(of: "# ``M``\n\n- ``and(_:)-enum.case``\n- ``Fetch``\nSee ``Word``.") == ["and(_:)", "Fetch"])
    }
}
