import Foundation
import TestSupport
import Testing
import Trove

@testable import TroveInspector

/// How the server lets a browser in, and what it does with slow and with many.
@Suite(.serialized) struct ServerTests {
    @Test func theStartIsExchangedForACookie() async throws {
        try await InspectorFixture.with(.memory) { (fixture: InspectorFixture) async throws in
            let address = try fixture.inspector.makeAddress()
            let client = try RawClient(address.startURL, socketPath: nil)
            #expect(client.host == fixture.client.host && client.host.hasPrefix("127.0.0.1:"))
            // A look at the head uses nothing up.
            #expect(try await client.send("HEAD \(client.target) HTTP/1.1\r\nHost: \(client.host)\r\n\r\n").status == 401)
            let answer = try await client.send("GET \(client.target) HTTP/1.1\r\nHost: \(client.host)\r\nSec-Fetch-Site: none\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n\r\n")
            let cookie = try #require(answer.headers["set-cookie"])
            #expect(answer.status == 303 && answer.headers["location"] == fixture.base + "/")
            #expect(cookie.hasSuffix("; Path=\(fixture.base)/; HttpOnly; SameSite=Strict") && !cookie.contains("Domain"))
            #expect(cookie.dropFirst("trove=".count).prefix { $0 != ";" }.count == 64)
            #expect(answer.headers["referrer-policy"] == "no-referrer")
            AttackTests.expectSafeHeaders(answer, "start")
            #expect(try await client.send("GET \(client.target) HTTP/1.1\r\nHost: \(client.host)\r\n\r\n").status == 403, "once")
            // The pages say nothing of the token.
            #expect(try await fixture.get("/").body.contains(client.target.suffix(64)) == false)
            #expect(try await fixture.client.send("GET \(fixture.base)/ HTTP/1.1\r\nHost: LOCALHOST:\(fixture.port)\r\nCookie: a=b; \(fixture.cookie)\r\nOrigin: http://localhost:\(fixture.port)\r\n\r\n").status == 200)
        }
    }

    @Test func headsHaveNoBody() async throws {
        try await InspectorFixture.with(.memory) { (fixture: InspectorFixture) async throws in
            let answer = try await fixture.client.send("HEAD \(fixture.base)/ HTTP/1.1\r\n\(fixture.headers())\r\n")
            #expect(answer.status == 200 && answer.body.isEmpty && Int(answer.headers["content-length"] ?? "") ?? 0 > 1_000)
        }
    }

    @Test func bytesMayComeOneByOne() async throws {
        try await InspectorFixture.with(.memory) { (fixture: InspectorFixture) async throws in
            let request = Array("GET \(fixture.base)/models.json HTTP/1.1\r\n\(fixture.headers())\r\n".utf8)
            var reader = RequestReader(InspectorLimits())
            for byte in request.dropLast() { #expect(try reader.add([byte]) == nil) }
            #expect(try reader.add([request[request.count - 1]])?.path == fixture.base + "/models.json")
        }
    }

    @Test func whoeverStopsInARequestIsNotWaitedFor() async throws {
        var limits = InspectorLimits()
        limits.requestTime = .milliseconds(200)
        try await InspectorFixture.with(.memory, limits: limits) { (fixture: InspectorFixture) async throws in
            #expect(try await fixture.client.send("GET \(fixture.base)/ HTTP/1.1\r\nHost: ").status == 408)
            #expect(try await fixture.client.send("").status == 408)
            #expect(try await fixture.get("/").status == 200)
        }
    }

    @Test func connectionsAreCounted() async throws {
        var limits = InspectorLimits()
        limits.connections = 4
        try await InspectorFixture.with(.memory, limits: limits) { (fixture: InspectorFixture) async throws in
            // The answers before are being closed yet.
            try await Task.sleep(for: .milliseconds(100))
            let held = try (0..<4).map { _ in try fixture.client.open() }
            try await Task.sleep(for: .milliseconds(200))
            await #expect(throws: RawClient.Failed.self) { try await fixture.get("/") }
            for descriptor in held { close(descriptor) }
            var status = 0
            for _ in 0..<50 where status != 200 {
                try await Task.sleep(for: .milliseconds(50))
                do { status = try await fixture.get("/").status } catch is RawClient.Failed { continue }
            }
            #expect(status == 200)
        }
    }

    /// A reader that takes nothing does not hold the store: LMDB would keep every page that it could still see.
    @Test(arguments: [Engine.lmdb, .sqlite]) func slowReadersHoldNoSnapshot(_ engine: Engine) async throws {
        var limits = InspectorLimits()
        limits.pieceTime = .milliseconds(500)
        try await InspectorFixture.with(engine, limits: limits) { (fixture: InspectorFixture) async throws in
            try await fixture.store.setBlob(Data(count: 24_000_000), named: "larger than what sockets hold")
            let descriptor = try fixture.client.open()
            defer { close(descriptor) }
            var query = FormFields()
            query["name"] = "larger than what sockets hold"
            try fixture.client.write(Array("GET \(fixture.base)/blob?\(query.encoded) HTTP/1.1\r\n\(fixture.headers())\r\n".utf8), to: descriptor)
            try await Task.sleep(for: .milliseconds(300))
            #expect(try await fixture.store.statistics().activeReaders == 0)
            try await fixture.store.save(InspectedLyrics(id: 7, text: "written meanwhile"))
            // It is given up: what comes then ends before its length.
            try await Task.sleep(for: .milliseconds(4_000))
            #expect(try fixture.client.readToEnd(descriptor).count < 24_000_000)
            let pieces = Data(repeating: 7, count: 1_048_576) + Data(repeating: 8, count: 1_048_576) + Data("end".utf8)
            try await fixture.store.setBlob(pieces, named: "pieces")
            #expect(try await fixture.get("/blob", ["name": "pieces"]).bodyBytes == Array(pieces))
        }
    }

    @Test func aSocketFileIsForItsUserAlone() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("s")
        try await InspectorFixture.with(.memory, endpoint: .socketFile(path)) { (fixture: InspectorFixture) async throws in
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            #expect(try await fixture.get("/").status == 200)
            #expect(try await fixture.client.send("GET \(fixture.base)/ HTTP/1.1\r\nHost: evil\r\nCookie: \(fixture.cookie)\r\n\r\n").status == 421)
            // Somebody's file is not taken for a socket of ours.
            let other = Inspector(fixture.store, options: .init(endpoint: .socketFile(path)))
            await #expect(throws: InspectorError.self) { try await other.start() }
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        let file = directory.file("f")
        try Data("mine".utf8).write(to: URL(filePath: file))
        let store = try ObjectStore(MemoryBackend(name: file), models: [])
        await #expect(throws: InspectorError.self) { try await Inspector(store, options: .init(endpoint: .socketFile(file))).start() }
        await #expect(throws: InspectorError.self) { try await Inspector(store, options: .init(endpoint: .socketFile(directory.file(String(repeating: "x", count: 200))))).start() }
        #expect(try Data(contentsOf: URL(filePath: file)) == Data("mine".utf8))
        try await store.close()
    }

    @Test(arguments: [
        (Inspector.Endpoint.network(host: "nowhere", port: 0), "'nowhere' is no address; write one of this machine in numbers, such as 192.168.1.5 or ::1"),
        (.network(host: "1:2", port: 0), "'1:2' is no address; write one of this machine in numbers, such as 192.168.1.5 or ::1"),
        (.network(host: "0.0.0.0", port: 0), "'0.0.0.0' stands for every address of this machine; name the one that browsers will use, such as 192.168.1.5"),
        (.network(host: "0::0", port: 0), "'0::0' stands for every address of this machine; name the one that browsers will use, such as 192.168.1.5"),
        (
            .network(host: "::ffff:0.0.0.0", port: 0),
            "'::ffff:0.0.0.0' stands for every address of this machine; name the one that browsers will use, such as 192.168.1.5"
        ), (.network(host: "192.0.2.1", port: 0), "this machine has no such address"),
        (.socketFile("/dev/null"), "there is something at the path already; remove it, or choose another path"),
        (.socketFile("/nowhere/socket"), "no such file or directory"),
    ])
    func whereItCannotListenIsTold(_ endpoint: Inspector.Endpoint, _ reason: String) async throws {
        let store = try ObjectStore(MemoryBackend(name: "inspected \(UUID())"), models: [])
        await #expect(throws: InspectorError.cannotListen(endpoint: "\(endpoint)", reason: reason)) { try await Inspector(store, options: .init(endpoint: endpoint)).start() }
        try await store.close()
    }

    @Test func itStartsAndStops() async throws {
        let store = try ObjectStore(MemoryBackend(name: "inspected \(UUID())"), models: [])
        let inspector = Inspector(store)
        await inspector.stop()
        #expect(throws: InspectorError.notStarted) { try inspector.makeAddress() }
        let first = try await inspector.start()
        await #expect(throws: InspectorError.alreadyStarted) { try await inspector.start() }
        let other = Inspector(store)
        let second = try await other.start()
        #expect(first != second)
        let client = try RawClient(first.startURL, socketPath: nil)
        await inspector.stop()
        await #expect(throws: RawClient.Failed.self) { try await client.send("GET / HTTP/1.1\r\n\r\n") }
        // A token of before is nothing now.
        let again = try await inspector.start()
        let fresh = try RawClient(again.startURL, socketPath: nil)
        #expect(try await fresh.send("GET \(client.target) HTTP/1.1\r\nHost: \(fresh.host)\r\n\r\n").status == 401)
        // A port that is taken is said to be.
        let taken = Inspector(store, options: .init(endpoint: .loopback(port: UInt16(fresh.host.split(separator: ":")[1]) ?? 0)))
        await #expect(throws: InspectorError.self) { try await taken.start() }
        await other.stop()
        await inspector.stop()
        try await store.close()
    }

    @Test func aStopEndsAStart() async throws {
        let store = try ObjectStore(MemoryBackend(name: "inspected \(UUID())"), models: [])
        let hasBegun = SharedFlag()
        let inspector = Inspector(store, options: .init(), limits: InspectorLimits()) {
            hasBegun.raise()
            try await waitUntil("the stop") { Task.isCancelled }
        }
        let starting = Task { try await inspector.start() }
        try await waitUntil("the start") { hasBegun.isRaised }
        await inspector.stop()
        await #expect(throws: CancellationError.self) { try await starting.value }
        #expect(throws: InspectorError.notStarted) { try inspector.makeAddress() }
        try await store.close()
    }

    /// What the system ends is stopped, and may be started again.
    @Test func whatEndsByItselfIsStopped() async throws {
        let store = try ObjectStore(MemoryBackend(name: "inspected \(UUID())"), models: [])
        let inspector = Inspector(store)
        _ = try await inspector.start()
        inspector.listening?.cancel()
        try await waitUntil("the end") {
            do {
                _ = try inspector.makeAddress()
                return false
            } catch InspectorError.notStarted {
                return true
            }
        }
        let client = try RawClient(try await inspector.start().startURL, socketPath: nil)
        #expect(try await client.send("GET \(client.target) HTTP/1.1\r\nHost: \(client.host)\r\n\r\n").status == 303)
        await inspector.stop()
        #expect(inspector.listening == nil)
        try await store.close()
    }

    #if canImport(Darwin)
    /// A browser that goes while it is written to must not end the application by a signal.
    @Test func connectionsRaiseNoSignal() throws {
        let listening = try ListeningSocket(.loopback(port: 0))
        defer { listening.close() }
        var (value, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        #expect(getsockopt(listening.socket.file.rawValue, SOL_SOCKET, SO_NOSIGPIPE, &value, &size) == 0 && value != 0)
    }
    #endif

    @Test func aStoreThatIsClosedIsAnError() async throws {
        try await InspectorFixture.with(.memory) { (fixture: InspectorFixture) async throws in
            let copy = fixture.store
            try await copy.close()
            #expect(try await fixture.get("/models.json").status == 503)
        }
    }
}
