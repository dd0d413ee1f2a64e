import Foundation
import TestSupport
import Testing
import Trove

@testable import TroveInspector

/// Requests that somebody else's page, another user of the machine or a broken client would send, as bytes to the real server. None may be answered with anything of the store, and none may change it.
@Suite(.serialized) struct AttackTests {
    struct Attack: Sendable, CustomTestStringConvertible {
        let name: String
        let status: Int
        let bytes: @Sendable (InspectorFixture, _ token: String) -> [UInt8]

        init(_ name: String, _ status: Int, _ text: @escaping @Sendable (InspectorFixture, String) -> String) {
            self.name = name
            self.status = status
            bytes = { Array(text($0, $1).utf8) }
        }

        var testDescription: String { name }
    }

    /// A read of the secret with other headers than a browser sends of the inspector's own page.
    private static func read(_ name: String, _ status: Int, _ headers: @escaping @Sendable (InspectorFixture) -> String) -> Attack {
        Attack(name, status) { fixture, _ in "GET \(fixture.base)/object.json?model=Lyrics&id=1 HTTP/1.1\r\n\(headers(fixture))\r\n" }
    }

    /// A read with a target or first line of its own.
    private static func line(_ name: String, _ status: Int, _ line: @escaping @Sendable (InspectorFixture) -> String) -> Attack {
        Attack(name, status) { fixture, _ in "\(line(fixture))\r\n\(fixture.headers())\r\n" }
    }

    private static let deletion = "action=delete&model=Lyrics&id=1"

    static let attacks: [Attack] = hosts + origins + cookies + changes + forms + targets + framing + values

    // MARK: - Names for this machine: DNS rebinding

    private static let hosts: [Attack] = [
        read("another name", 421) { "Host: evil.example\r\nCookie: \($0.cookie)\r\n" },
        read("another name with the port", 421) { "Host: evil.example:\($0.port)\r\nCookie: \($0.cookie)\r\n" },
        read("another port", 421) { "Host: 127.0.0.1:1\r\nCookie: \($0.cookie)\r\n" },
        read("no port", 421) { "Host: 127.0.0.1\r\nCookie: \($0.cookie)\r\n" },
        read("a dot at the end", 421) { "Host: localhost.:\($0.port)\r\nCookie: \($0.cookie)\r\n" },
        read("a name before an @", 421) { "Host: 127.0.0.1:\($0.port)@evil.example\r\nCookie: \($0.cookie)\r\n" },
        read("another user before an @", 421) { "Host: evil@127.0.0.1:\($0.port)\r\nCookie: \($0.cookie)\r\n" },
        read("IPv6 for the same machine", 421) { "Host: [::1]:\($0.port)\r\nCookie: \($0.cookie)\r\n" },
        read("IPv4 in IPv6", 421) { "Host: [::ffff:127.0.0.1]:\($0.port)\r\nCookie: \($0.cookie)\r\n" },
        read("another writing of the address", 421) { "Host: 127.1:\($0.port)\r\nCookie: \($0.cookie)\r\n" },
        read("the address as a number", 421) { "Host: 2130706433:\($0.port)\r\nCookie: \($0.cookie)\r\n" },
        read("all addresses", 421) { "Host: 0.0.0.0:\($0.port)\r\nCookie: \($0.cookie)\r\n" },
        read("a name below localhost", 421) { "Host: evil.localhost:\($0.port)\r\nCookie: \($0.cookie)\r\n" },
        read("no host", 421) { "Cookie: \($0.cookie)\r\n" },
        read("two hosts, the good one last", 400) { "Host: evil.example\r\nHost: \($0.client.host)\r\nCookie: \($0.cookie)\r\n" },
        read("two hosts, the good one first", 400) { "Host: \($0.client.host)\r\nhost: evil.example\r\nCookie: \($0.cookie)\r\n" },
        read("a space before the colon", 400) { "Host : \($0.client.host)\r\nCookie: \($0.cookie)\r\n" },
        read("a header that goes on", 400) { "Host: \($0.client.host)\r\n evil.example\r\nCookie: \($0.cookie)\r\n" },
        read("two hosts in one", 421) { "Host: \($0.client.host), evil.example\r\nCookie: \($0.cookie)\r\n" },
        read("forwarded for another", 421) { "Host: evil.example\r\nX-Forwarded-Host: \($0.client.host)\r\nCookie: \($0.cookie)\r\n" },
    ]

    // MARK: - Other pages

    private static let origins: [Attack] = [
        read("a page of another site reads", 403) { $0.headers("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\n") },
        read("a page of another port reads", 403) { $0.headers("Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: no-cors\r\n") },
        read("another origin reads", 403) { $0.headers("Origin: http://evil.example\r\n") },
        read("no origin's page reads", 403) { $0.headers("Origin: null\r\n") },
        read("another port's origin reads", 403) { $0.headers("Origin: http://127.0.0.1:1\r\n") },
        read("the same name by TLS", 403) { $0.headers("Origin: https://\($0.client.host)\r\n") },
        read("two origins", 400) { $0.headers("Origin: http://\($0.client.host)\r\nOrigin: http://evil.example\r\n") },
        read("a link of another site", 403) { $0.headers("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n") },
        read("in a frame", 403) { $0.headers("Sec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n") },
        read("as an object", 403) { $0.headers("Sec-Fetch-Site: none\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: object\r\n") },
        read("a WebSocket by fetch metadata", 403) { $0.headers("Sec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: websocket\r\n") },
        read("a WebSocket of another page", 400) { $0.headers("Upgrade: websocket\r\nConnection: Upgrade\r\nOrigin: http://evil.example\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n") },
        read("a script of another page", 403) { $0.headers("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: script\r\n") },
        read("a worker", 403) { $0.headers("Sec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: same-origin\r\nSec-Fetch-Dest: serviceworker\r\n") },
        line("a preflight", 405) { "OPTIONS \($0.base)/preview HTTP/1.1" },
        Attack("JSON with a callback", 403) { fixture, _ in
            "GET \(fixture.base)/objects.json?model=Lyrics&callback=steal HTTP/1.1\r\n\(fixture.headers("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n"))\r\n"
        },
    ]

    // MARK: - Other users and programs of the machine

    private static let cookies: [Attack] = [
        read("no cookie", 401) { "Host: \($0.client.host)\r\n" },
        read("a guessed cookie", 401) { "Host: \($0.client.host)\r\nCookie: trove=\(String(repeating: "0", count: 64))\r\n" },
        read("the beginning of the cookie", 401) { "Host: \($0.client.host)\r\nCookie: \($0.cookie.dropLast())\r\n" },
        read("an empty cookie", 401) { "Host: \($0.client.host)\r\nCookie: trove=\r\n" },
        read("two headers of cookies", 400) { "Host: \($0.client.host)\r\nCookie: a=b\r\nCookie: \($0.cookie)\r\n" },
        read("the cookie as a token", 401) { "Host: \($0.client.host)\r\nAuthorization: Bearer \($0.cookie)\r\n" },
        Attack("the start once more", 403) { fixture, _ in "GET \(fixture.client.target) HTTP/1.1\r\nHost: \(fixture.client.host)\r\n\r\n" },
        Attack("a guessed start", 403) { fixture, _ in "GET \(fixture.base)/start?token=\(String(repeating: "0", count: 64)) HTTP/1.1\r\nHost: \(fixture.client.host)\r\n\r\n" },
        Attack("a start without a token", 403) { fixture, _ in "GET \(fixture.base)/start HTTP/1.1\r\nHost: \(fixture.client.host)\r\n\r\n" },
        Attack("the cookie on another path", 401) { fixture, _ in "GET /object.json?model=Lyrics&id=1 HTTP/1.1\r\n\(fixture.headers())\r\n" },
        Attack("a path that begins like it", 401) { fixture, _ in "GET \(fixture.base)x/objects.json?model=Lyrics HTTP/1.1\r\n\(fixture.headers())\r\n" },
    ]

    // MARK: - Changes

    private static let changes: [Attack] = [
        Attack("a form of another page", 403) { $0.postText("/apply", "\(deletion)&form-token=\($1)", origin: "http://evil.example") },
        Attack("a form of no origin", 403) { $0.postText("/apply", "\(deletion)&form-token=\($1)", origin: "null") },
        Attack("a form that does not say where from", 403) { fixture, token in
            let body = "\(deletion)&form-token=\(token)"
            return "POST \(fixture.base)/apply HTTP/1.1\r\n\(fixture.headers())Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        },
        Attack("a form of another port", 403) { $0.postText("/apply", "\(deletion)&form-token=\($1)", origin: "http://127.0.0.1:1") },
        Attack("a form of another site by fetch metadata", 403) { $0.postText("/apply", "\(deletion)&form-token=\($1)", more: "Sec-Fetch-Site: cross-site\r\n") },
        Attack("a form from nowhere", 403) { $0.postText("/apply", "\(deletion)&form-token=\($1)", more: "Sec-Fetch-Site: none\r\n") },
        Attack("no token in the form", 403) { fixture, _ in fixture.postText("/apply", deletion) },
        Attack("a guessed token in the form", 403) { fixture, _ in fixture.postText("/apply", "\(deletion)&form-token=\(String(repeating: "a", count: 64))") },
        Attack("the token in the address", 403) { fixture, token in fixture.postText("/apply?form-token=\(token)", deletion) },
        Attack("a form as plain text", 415) { $0.postText("/apply", "\(deletion)&form-token=\($1)", type: "text/plain") },
        Attack("a form as JSON", 415) { $0.postText("/apply", "{\"action\":\"delete\",\"form-token\":\"\($1)\"}", type: "application/json") },
        Attack("a form in parts", 415) { $0.postText("/apply", "\(deletion)&form-token=\($1)", type: "multipart/form-data; boundary=x") },
        Attack("a form that is said to be two things", 415) { $0.postText("/apply", "\(deletion)&form-token=\($1)", type: "application/x-www-form-urlencoded, text/plain") },
        Attack("a change by GET", 405) { fixture, token in "GET \(fixture.base)/apply?\(deletion)&form-token=\(token) HTTP/1.1\r\n\(fixture.headers())\r\n" },
        Attack("a change by HEAD", 405) { fixture, token in "HEAD \(fixture.base)/apply?\(deletion)&form-token=\(token) HTTP/1.1\r\n\(fixture.headers())\r\n" },
        Attack("GET that says it is another method", 405) { fixture, token in
            "GET \(fixture.base)/apply?\(deletion)&form-token=\(token)&_method=POST HTTP/1.1\r\n\(fixture.headers("X-HTTP-Method-Override: POST\r\nX-HTTP-Method: POST\r\n"))\r\n"
        },
        line("DELETE", 405) { "DELETE \($0.base)/object?model=Lyrics&id=1 HTTP/1.1" },
        line("PUT", 405) { "PUT \($0.base)/object?model=Lyrics&id=1 HTTP/1.1" },
        line("TRACE", 405) { "TRACE \($0.base)/ HTTP/1.1" },
        line("CONNECT", 405) { "CONNECT \($0.client.host) HTTP/1.1" },
        Attack("a page is posted", 405) { $0.postText("/object", "model=Lyrics&id=1&form-token=\($1)") },
        Attack("a change that was not shown", 409) { $0.postText("/apply", "\(deletion)&form-token=\($1)") },
        Attack("a change whose effect was another", 409) { $0.postText("/apply", "\(deletion)&effect=cafe&form-token=\($1)") },
    ]

    private static let forms: [Attack] = [
        Attack("a name twice in the form", 400) { $0.postText("/apply", "\(deletion)&id=2&form-token=\($1)") },
        Attack("a form that is too long", 413) { fixture, _ in
            "POST \(fixture.base)/preview HTTP/1.1\r\n\(fixture.headers())Origin: http://\(fixture.client.host)\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1048577\r\n\r\n"
        },
        Attack("half an escape in the form", 400) { $0.postText("/preview", "\(deletion)%2&form-token=\($1)") },
        Attack("a form that is no UTF-8", 400) { $0.postText("/preview", "\(deletion)%FF%FE&form-token=\($1)") },
        Attack("an unknown action", 400) { $0.postText("/preview", "action=drop&model=Lyrics&id=1&form-token=\($1)") },
    ]

    // MARK: - Targets

    private static let targets: [Attack] = [
        line("the absolute form", 400) { "GET http://evil.example\($0.base)/objects.json?model=Lyrics HTTP/1.1" },
        line("an absolute form of this server", 400) { "GET http://\($0.client.host)\($0.base)/objects.json?model=Lyrics HTTP/1.1" },
        line("an encoded slash", 400) { "GET \($0.base)%2Fobjects.json?model=Lyrics HTTP/1.1" },
        line("a way up", 400) { "GET \($0.base)/x/../objects.json?model=Lyrics HTTP/1.1" },
        line("an encoded way up", 400) { "GET \($0.base)/%2e%2e/%2e%2e/etc/passwd HTTP/1.1" },
        line("a double slash", 400) { "GET /\($0.base)/objects.json?model=Lyrics HTTP/1.1" },
        line("a zero byte", 400) { "GET \($0.base)/objects.json%00?model=Lyrics HTTP/1.1" },
        line("a back slash", 400) { "GET \($0.base)\\objects.json?model=Lyrics HTTP/1.1" },
        line("a path that is not there", 404) { "GET \($0.base)/etc/passwd HTTP/1.1" },
        line("a target of 9,000 bytes", 414) { "GET \($0.base)/objects?model=\(String(repeating: "a", count: 9_000)) HTTP/1.1" },
        line("a name twice in the query", 400) { "GET \($0.base)/objects?model=Lyrics&model=Album HTTP/1.1" },
        line("an escape that is no number", 400) { "GET \($0.base)/objects?model=%zz HTTP/1.1" },
    ]

    // MARK: - What can be read in two ways

    private static let framing: [Attack] = [
        Attack("a body in chunks", 501) { fixture, _ in
            "POST \(fixture.base)/preview HTTP/1.1\r\n\(fixture.headers())Origin: http://\(fixture.client.host)\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        },
        Attack("chunks and a length", 501) { fixture, token in
            "POST \(fixture.base)/preview HTTP/1.1\r\n\(fixture.headers())Origin: http://\(fixture.client.host)\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"
        },
        Attack("two lengths", 400) { fixture, _ in
            "POST \(fixture.base)/preview HTTP/1.1\r\n\(fixture.headers())Content-Length: 5\r\nContent-Length: 0\r\n\r\nabcde"
        },
        Attack("a length below zero", 400) { fixture, _ in "POST \(fixture.base)/preview HTTP/1.1\r\n\(fixture.headers())Content-Length: -1\r\n\r\n" },
        Attack("a length with a sign", 400) { fixture, _ in "POST \(fixture.base)/preview HTTP/1.1\r\n\(fixture.headers())Content-Length: +5\r\n\r\nabcde" },
        Attack("a length beyond all", 400) { fixture, _ in "POST \(fixture.base)/preview HTTP/1.1\r\n\(fixture.headers())Content-Length: 99999999999999999999\r\n\r\n" },
        Attack("no length", 411) { fixture, _ in "POST \(fixture.base)/preview HTTP/1.1\r\n\(fixture.headers())\r\n" },
        Attack("a second request behind the first", 400) { fixture, _ in
            "GET \(fixture.base)/style.css HTTP/1.1\r\n\(fixture.headers())\r\nGET \(fixture.base)/objects.json?model=Lyrics HTTP/1.1\r\n\(fixture.headers())\r\n"
        },
        Attack("a request in the body of another", 400) { fixture, _ in
            "POST \(fixture.base)/preview HTTP/1.1\r\n\(fixture.headers())Content-Length: 0\r\n\r\nGET \(fixture.base)/objects.json?model=Lyrics HTTP/1.1\r\n\(fixture.headers())\r\n"
        },
        Attack("a body of a GET", 400) { fixture, _ in "GET \(fixture.base)/objects.json?model=Lyrics HTTP/1.1\r\n\(fixture.headers())Content-Length: 5\r\n\r\nabcde" },
        Attack("lines that end by LF", 431) { fixture, _ in
            "GET \(fixture.base)/objects.json?model=Lyrics HTTP/1.1\nHost: \(fixture.client.host)\nCookie: \(fixture.cookie)\n\n" + String(repeating: "a", count: 20_000)
        },
        Attack("an LF within a line", 400) { fixture, _ in "GET \(fixture.base)/objects.json?model=Lyrics HTTP/1.1\r\nX: a\nCookie: \(fixture.cookie)\r\nHost: \(fixture.client.host)\r\n\r\n" },
        Attack("a zero byte in a header", 400) { fixture, _ in "GET \(fixture.base)/ HTTP/1.1\r\n\(fixture.headers("X: a\u{0}b\r\n"))\r\n" },
        Attack("a header of 20,000 bytes", 431) { fixture, _ in "GET \(fixture.base)/ HTTP/1.1\r\n\(fixture.headers("X: \(String(repeating: "a", count: 20_000))\r\n"))\r\n" },
        Attack("a hundred headers", 431) { fixture, _ in "GET \(fixture.base)/ HTTP/1.1\r\n\(fixture.headers((0..<100).map { "X-\($0): a\r\n" }.joined()))\r\n" },
        line("HTTP/1.0", 505) { "GET \($0.base)/objects.json?model=Lyrics HTTP/1.0" },
        line("HTTP/2", 505) { "GET \($0.base)/objects.json?model=Lyrics HTTP/2.0" },
        line("HTTP/0.9", 400) { "GET \($0.base)/objects.json?model=Lyrics" },
        line("two spaces", 400) { "GET  \($0.base)/objects.json?model=Lyrics HTTP/1.1" },
        Attack("TLS", 431) { _, _ in "\u{16}\u{3}\u{1}" + String(repeating: "\u{1}", count: 17_000) },
        Attack("something is expected", 417) { fixture, _ in "POST \(fixture.base)/preview HTTP/1.1\r\n\(fixture.headers())Expect: 100-continue\r\nContent-Length: 0\r\n\r\n" },
    ]

    // MARK: - Values

    private static let values: [Attack] = [
        line("a forged token", 400) { "GET \($0.base)/objects.json?model=Lyrics&after=AQAAAAAAAAAAAAAAAAAA HTTP/1.1" },
        line("a token that is none", 400) { "GET \($0.base)/objects.json?model=Lyrics&after=%3Cscript%3E HTTP/1.1" },
        line("criteria of 5,000 bytes", 400) { "GET \($0.base)/objects.json?model=Lyrics&where=\(String(repeating: "a", count: 5_000)) HTTP/1.1" },
        line("criteria nested 1,000 deep", 400) { "GET \($0.base)/objects.json?model=Lyrics&where=\(String(repeating: "(", count: 1_000)) HTTP/1.1" },
        line("a regular expression without end", 400) { "GET \($0.base)/objects.json?model=Lyrics&where=text+matches+'(((' HTTP/1.1" },
        line("a million rows", 400) { "GET \($0.base)/objects.json?model=Lyrics&rows=1000000 HTTP/1.1" },
        line("rows below zero", 400) { "GET \($0.base)/objects.json?model=Lyrics&rows=-1 HTTP/1.1" },
        line("a model that is not there", 404) { "GET \($0.base)/objects.json?model=%3Cscript%3E HTTP/1.1" },
        line("a model of the store's own", 404) { "GET \($0.base)/objects.json?model=%24bags HTTP/1.1" },
        line("an id that is none", 400) { "GET \($0.base)/object.json?model=Lyrics&id=%3Cscript%3E HTTP/1.1" },
        line("a blob that is not there", 404) { "GET \($0.base)/blob?name=..%2F..%2Fetc%2Fpasswd HTTP/1.1" },
        line("live results of a wrong query", 400) { "GET \($0.base)/live?model=Lyrics&where=%3Cscript%3E HTTP/1.1" },
        line("a facet of no property", 400) { "GET \($0.base)/objects.json?model=Lyrics&facet=%3Cb%3E HTTP/1.1" },
    ]

    @Test func thereAreEnough() {
        #expect(Self.attacks.count >= 100)
        #expect(Set(Self.attacks.map(\.name)).count == Self.attacks.count)
    }

    @Test func nothingIsAnsweredAndNothingChanged() async throws {
        try await InspectorFixture.with(.memory) { (fixture: InspectorFixture) async throws in
            let token = try await fixture.formToken()
            let before = try await fixture.store.counts()
            for attack in Self.attacks {
                let answer = try await fixture.client.send(attack.bytes(fixture, token))
                #expect(answer.status == attack.status, "\(attack.name): \(answer.text.prefix(400))")
                // A change that was not shown is shown then, with its values, to whoever has the cookie and the token.
                #expect(attack.status == 409 || !answer.text.contains(HostileStore.secret), "\(attack.name)")
                // JSON may have it: it is of a type that no browser takes for a page.
                let isJSON = answer.headers["content-type"] == "application/json"
                #expect(isJSON || !answer.body.contains("<script") && !answer.body.contains("onerror="), "\(attack.name)")
                #expect(answer.headers["set-cookie"] == nil, "\(attack.name)")
                #expect(answer.headers["access-control-allow-origin"] == nil, "\(attack.name)")
                Self.expectSafeHeaders(answer, attack.name)
            }
            #expect(try await fixture.store.counts() == before)
            // The browser that was let in is answered as before.
            #expect(try await fixture.get("/object.json", ["model": "Lyrics", "id": "1"]).body.contains(HostileStore.secret))
        }
    }

    /// The path of the cookie is told to nobody who has not said it: a browser sends the cookie to every port of the host, also to that of another user's program.
    @Test func refusalsDoNotTellThePath() async throws {
        try await InspectorFixture.with(.memory) { (fixture: InspectorFixture) async throws in
            let host = "Host: \(fixture.client.host)\r\n"
            let requests = [
                "GET / HTTP/1.1\r\n\(host)\r\n", "GET /.json HTTP/1.1\r\n\(host)\r\n", "GET /start?token=0 HTTP/1.1\r\n\(host)\r\n", "GET / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", "GET / HTTP/1.1\r\n\(host)Origin: null\r\n\r\n", "GET / HTTP/1.0\r\n\(host)\r\n",
                "POST / HTTP/1.1\r\n\(host)\r\n", "nothing\r\n\r\n",
            ]
            let path = String(fixture.base.dropFirst())
            for request in requests {
                let answer = try await fixture.client.send(request)
                #expect(answer.status >= 400, "\(request)")
                #expect(!answer.text.contains(path), "\(request): \(answer.text)")
            }
            // Who says it is shown the page as it looks.
            let refused = try await fixture.client.send("GET \(fixture.base)/ HTTP/1.1\r\n\(host)\r\n")
            #expect(refused.status == 401 && refused.body.contains("\(fixture.base)/style.css"))
        }
    }

    /// What every answer has, whatever it is.
    static func expectSafeHeaders(_ answer: RawClient.Answer, _ what: String) {
        let policy = answer.headers["content-security-policy"] ?? ""
        #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'") && policy.contains("base-uri 'none'") && !policy.contains("unsafe"), "\(what)")
        #expect(answer.headers["x-content-type-options"] == "nosniff" && answer.headers["cross-origin-resource-policy"] == "same-origin", "\(what)")
        #expect(answer.headers["cache-control"] == "no-store" && answer.headers["x-frame-options"] == "DENY", "\(what)")
        #expect(["no-referrer", "same-origin"].contains(answer.headers["referrer-policy"] ?? ""), "\(what)")
        #expect(answer.headers["connection"] == "close" && answer.headers["server"] == nil, "\(what)")
    }
}

extension InspectorFixture {
    var port: String { String(client.host.split(separator: ":").last ?? "") }
}
