import Foundation
import TestSupport
import Testing
@testable import Trove

/// URLs are texts in queries, so an index that keeps their case must not answer for one that ignores it.
@Suite struct URLQueryTests {
    @Model
    struct Link: Hashable {
        var url: URL?
        static var indexes: [Index<Link>] { URLQueryTests.declared }
    }

    @TaskLocal static var declared: [Index<Link>] = []

    @Test(arguments: [false, true])
    func caseCounts(_ isIndexed: Bool) throws {
        let fixture = try Self.$declared.withValue(isIndexed ? [Index(\.url)] : []) {
            try StoreFixture(.memory) { try ObjectStore($0, models: Link.self) }
        }
        let texts = ["http://B.org", "http://a.org", "http://A.org/x", "http://b.org", "ftp://a"]
        let links = texts.map { Link(url: URL(string: $0)) } + [Link(url: nil)]
        try fixture.store.save(links)
        let fetch = fixture.store.fetch(Link.self)
        func urls(_ fetch: Fetch<Link, ObjectStore>) throws -> [String?] { try fetch.all().map { $0.url?.absoluteString } }
        let url = Operand.path("url")
        let same = Filter.comparison(url, .equal, .value(.string("http://b.ORG")), ignoringCase: true)
        #expect(try urls(fetch.where(same)) == ["http://B.org", "http://b.org"])
        #expect(try urls(fetch.where(.text(url, .hasPrefix, .value(.string("http://a"))))) == ["http://a.org"])
        #expect(try urls(fetch.where(.text(url, .hasPrefix, .value(.string("http://a")), ignoringCase: true))) == ["http://a.org", "http://A.org/x"])
        let sorted = [nil, "ftp://a", "http://a.org", "http://A.org/x", "http://B.org", "http://b.org"]
        #expect(try urls(fetch.sorted(by: \.url, ignoringCase: true).limit(6)) == sorted)
        #expect(try fetch.sorted(by: \.url, ignoringCase: true).limit(1).explain().sorts)
    }

    /// A text that no URL has is unequal to all of them, and its place in an order is unknown.
    @Test(arguments: Engine.allCases, [false, true])
    func textsThatAreNoURLs(_ engine: Engine, _ isIndexed: Bool) throws {
        let fixture = try Self.$declared.withValue(isIndexed ? [Index(\.url)] : []) {
            try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Link.self) }
        }
        try fixture.store.save([Link(url: URL(string: "http://a.org")), Link(url: URL(string: "ftp://b")), Link(url: nil)])
        let fetch = fixture.store.fetch(Link.self)
        #expect(try fetch.where { $0.url.isEmpty }.count() == 0)
        #expect(try fetch.where { !$0.url.isEmpty }.count() == 3)
        #expect(try fetch.where { $0.url.equals("", ignoringCase: true) }.count() == 0)
        #expect(try fetch.where { $0.url.equals("", ignoring: [.case, .diacritics]) }.count() == 0)
        #expect(try fetch.where { $0.url.isIn(["http://A.org", ""], ignoringCase: true) }.count() == 1)
        #expect(try fetch.where { $0.url.isIn(["ftp://b", ""], ignoringCase: false) }.count() == 1)
        #expect(try fetch.matching("url = ''").count() == 0)
        #expect(try fetch.matching("url != '' and url is not nil").count() == 2)
        #expect { try fetch.matching("url < ''").count() } throws: { error in
            if case TroveError.incomparable = error { true } else { false }
        }
    }
}
