import Foundation
import TestSupport
import Testing
import Trove

@testable import TroveInspector

/// An inspector of a hostile store, and a browser that it has let in.
final class InspectorFixture {
    let stores: StoreFixture
    let inspector: Inspector
    let client: RawClient
    /// What the addresses of the inspector begin with, and the cookie.
    private(set) var base = ""
    private(set) var cookie = ""
    let startURL: String
    var store: ObjectStore { stores.store }

    static func with(
        _ engine: Engine, allowsWrites: Bool = true, limits: InspectorLimits = InspectorLimits(), endpoint: Inspector.Endpoint = .loopback(port: 0),
        open: @escaping (any StorageBackend) throws -> ObjectStore = HostileStore.open, fill: (ObjectStore) throws -> Void = HostileStore.fill, _ body: (InspectorFixture) async throws -> Void
    ) async throws {
        let fixture = try await InspectorFixture(engine, allowsWrites, limits, endpoint, open, fill)
        do {
            try await body(fixture)
            await fixture.inspector.stop()
        } catch {
            await fixture.inspector.stop()
            throw error
        }
    }

    private init(
        _ engine: Engine, _ allowsWrites: Bool, _ limits: InspectorLimits, _ endpoint: Inspector.Endpoint, _ open: @escaping (any StorageBackend) throws -> ObjectStore,
        _ fill: (ObjectStore) throws -> Void
    ) async throws {
        stores = try StoreFixture(engine, open)
        try fill(stores.store)
        inspector = Inspector(stores.store, options: .init(endpoint: endpoint, allowsWrites: allowsWrites), limits: limits)
        let address = try await inspector.start()
        startURL = address.startURL
        client = try RawClient(startURL, socketPath: address.socketPath)
        let answer = try await client.send("GET \(client.target) HTTP/1.1\r\nHost: \(client.host)\r\n\r\n")
        try #require(answer.status == 303, "\(answer.text)")
        cookie = String(try #require(answer.headers["set-cookie"]).prefix { $0 != ";" })
        base = String(try #require(answer.headers["location"]).dropLast())
    }

    /// The headers that a browser sends from a page of the inspector.
    func headers(_ more: String = "") -> String { "Host: \(client.host)\r\nCookie: \(cookie)\r\n\(more)" }

    func get(_ path: String, _ fields: [String: String] = [:]) async throws -> RawClient.Answer {
        var form = FormFields()
        for (name, value) in fields { form[name] = value }
        let query = form.encoded
        return try await client.send("GET \(base)\(path)\(query.isEmpty ? "" : "?\(query)") HTTP/1.1\r\n\(headers())\r\n")
    }

    /// The JSON of a page.
    func json(_ path: String, _ fields: [String: String] = [:]) async throws -> PlainJSON {
        let answer = try await get(path, fields)
        try #require(answer.status == 200, "\(path): \(answer.text.prefix(600))")
        return try PlainJSON(json: answer.body)
    }

    /// What the forms of this browser have in them.
    func formToken() async throws -> String {
        let page = try await get("/edit", ["model": "Lyrics", "id": "1"]).body
        let start = try #require(page.range(of: "name=\"form-token\" value=\""))
        return String(page[start.upperBound...].prefix { $0 != "\"" })
    }

    func post(_ path: String, _ fields: [String: String], token: String? = nil) async throws -> RawClient.Answer {
        var form = FormFields()
        for (name, value) in fields { form[name] = value }
        form["form-token"] = if let token { token } else { try await formToken() }
        return try await client.send(postText(path, form.encoded))
    }

    /// Sends the form of a page for a path as a browser does, which ends each line of a value by CR LF.
    func submit(_ page: RawClient.Answer, to path: String) async throws -> RawClient.Answer {
        let start = try #require(page.body.components(separatedBy: "<form ").first { $0.contains("action=\"\(base)\(path)\"") }, "\(page.body)")
        var fields: [String: String] = [:]
        for input in (start.components(separatedBy: "</form>").first ?? "").components(separatedBy: "<input type=\"hidden\" name=\"").dropFirst() {
            let parts = input.components(separatedBy: "\"")
            let value = ["&#13;": "\r", "&#10;": "\n", "&#34;": "\"", "&#39;": "'", "&#60;": "<", "&#62;": ">"].reduce(parts[2]) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
            let lines = value.replacingOccurrences(of: "&#38;", with: "&").replacing("\r\n", with: "\n").replacing("\r", with: "\n").replacing("\n", with: "\r\n")
            fields[parts[0]] = lines
        }
        return try await post(path, fields, token: fields["form-token"])
    }

    func postText(_ path: String, _ body: String, origin: String? = nil, type: String = "application/x-www-form-urlencoded", more: String = "") -> String {
        "POST \(base)\(path) HTTP/1.1\r\n\(headers())Origin: \(origin ?? "http://\(client.host)")\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\(more)\r\n\(body)"
    }
}
