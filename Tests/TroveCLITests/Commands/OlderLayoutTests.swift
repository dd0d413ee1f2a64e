import TestSupport
import Testing
import Trove

/// Objects from before a property was renamed, and documents that a model has adopted.
@Suite struct OlderLayoutTests {
    fileprivate enum Old {
        @Model("Reel") struct Reel {
            let id: Int
            var z: String
            var d: String = "d"
        }
    }

    fileprivate enum New {
        @Model("Reel") struct Reel: Equatable {
            let id: Int
            @Attribute(.indexed, originalName: "z") var zed: String
            var d: String = "d"
        }
    }

    @Model("Part") fileprivate struct Part: Equatable {
        var id = ObjectID()
        var code: String
    }

    private static let part = ObjectID("0192f0c1-0000-7000-8000-000000000001")!

    /// `music.store` with records of both layouts, and an adopted document.
    private func fixture(_ engine: Engine) throws -> CommandFixture {
        let fixture = try CommandFixture(engine, nil)
        func open(_ models: any Model.Type..., fill: (ObjectStore) throws -> Void) throws {
            let store = try ObjectStore(engine.open(fixture.directory.file("music.store")), models: models)
            try fill(store)
            try store.close()
        }
        try open(Old.Reel.self) { store in
            try store.save((1...2).map { Old.Reel(id: $0, z: "z\($0)") })
            try store.documents("Part").save(Document(["code": "c1"], id: Self.part))
            _ = try store.adopt(Part.self, from: "Part")
        }
        try open(New.Reel.self, Part.self) { try $0.save(New.Reel(id: 3, zed: "z3")) }
        return fixture
    }

    @Test(arguments: Engine.persistent) func presentNamesAreShownAndSet(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        #expect(try fixture.run("trove find music.store Reel \"zed = 'z1'\" --select zed -o csv") == .init(status: 0, output: "zed\nz1\n", errors: ""))
        #expect(try fixture.run("trove find music.store Reel -o csv").output == "$id,zed,d\n1,z1,d\n2,z2,d\n3,z3,d\n")
        #expect(try fixture.run("trove get music.store Reel 1 -o csv").output == "$id,zed,d\n1,z1,d\n")
        let old = try fixture.run("trove find music.store Reel --select z")
        #expect(old.status == 2 && old.errors.contains("z"), "\(old)")
        #expect(try fixture.run("trove set music.store Reel 1 zed=new --write -o csv") == .init(status: 0, output: "change,model,id\nchanged,Reel,1\n", errors: ""))
        let values = #"{"change":"changed","model":"Reel","id":2,"before":{"zed":"z2"},"values":{"zed":"newer"}}"# + "\n"
        #expect(try fixture.run("trove set music.store Reel 2 zed=newer --values --dry-run -o jsonl").output == values)
        let set = try fixture.run("trove set music.store Reel 2 z=new --write")
        #expect(set.status != 0 && set.errors.contains("Reel.z is no property of the model"), "\(set)")
        #expect(try fixture.run("trove find music.store Part \"code = 'c1'\" --select code -o csv").output == "code\nc1\n")
        #expect(try fixture.run("trove set music.store Part \(Self.part) code=c2 --write -o csv").output == "change,model,id\nchanged,Part,\(Self.part)\n")
        let store = try ObjectStore(engine.open(fixture.directory.file("music.store")), models: New.Reel.self, Part.self)
        #expect(try store.verify().isSound)
        #expect(try store.fetch(New.Reel.self).where { $0.zed == "new" }.all() == [New.Reel(id: 1, zed: "new")])
        #expect(try store.fetch(Part.self).all() == [Part(id: Self.part, code: "c2")])
        try store.close()
    }
}
