import Testing

@Suite struct IdentityExpansionTests {
    @Test func onePropertyIsTheID() {
        expectExpansion(
            """
            @Model struct Country {
                #Unique<Country>([\\.code], identity: true)
                var code: String
                var name: String
            }
            """,
            #"""
            struct Country {
                var code: String
                var name: String

                typealias ID = String

                nonisolated var id: ID { self.code }
            }

            extension Country: nonisolated Trove.Model, Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Country", version: 1, identity: ["code"], id: \Self.id, fields: [
                    Trove.FieldSchema("code", \Self.code),
                    Trove.FieldSchema("name", \Self.name),
                ])

                nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.code)
                    try record.encode(self.name)
                }

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    try self.init(
                        code: record.decode(),
                        name: record.decode()
                    )
                }
            }
            """#)
    }

    @Test func severalPropertiesMakeAStruct() {
        expectExpansion(
            """
            @Model public struct Package {
                #Unique<Package>([\\.name, \\Package.`default`, \\Self.tag], identity: true)
                public var name: String, `default`: Int
                public var tag: String!
            }
            """,
            #"""
            public struct Package {
                public var name: String, `default`: Int
                public var tag: String!

                public nonisolated struct ID: Trove.StorableKey {
                    public var name: String
                    public var `default`: Int
                    public var tag: String?

                    public init(name: String, default: Int, tag: String?) {
                        self.name = name
                        self.`default` = `default`
                        self.tag = tag
                    }

                    public init(from key: inout Trove.KeyDecoder) throws {
                        self.name = try key._decodePart()
                        self.`default` = try key._decodePart()
                        self.tag = try key._decodePart()
                    }

                    public func encode(into key: inout Trove.KeyEncoder) {
                        key._encodePart(self.name)
                        key._encodePart(self.`default`)
                        key._encodePart(self.tag)
                    }

                    public static var keyParts: [(name: String, type: any Trove.StorableKey.Type)] {
                        [Trove._keyPart("name", String.self), Trove._keyPart("default", Int.self), Trove._keyPart("tag", String?.self)]
                    }
                }

                public nonisolated var id: ID { ID(name: self.name, default: self.`default`, tag: self.tag) }
            }

            extension Package: nonisolated Trove.Model, Sendable {
                public nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Package", version: 1, identity: ["name", "default", "tag"], id: \Self.id, fields: [
                    Trove.FieldSchema("name", \Self.name),
                    Trove.FieldSchema("default", \Self.`default`),
                    Trove.FieldSchema("tag", \Self.tag),
                ])

                public nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.name)
                    try record.encode(self.`default`)
                    try record.encode(self.tag)
                }

                public nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    try self.init(
                        name: record.decode(),
                        default: record.decode(),
                        tag: record.decode(default: nil)
                    )
                }
            }
            """#)
    }

    @Test func typesThatBeginWithSelf() {
        expectExpansion(
            """
            @Model struct Track {
                #Unique<Track>([\\.kind, \\.number], identity: true)
                var kind: Self.Kind
                var number: Int
            }
            """,
            #"""
            struct Track {
                var kind: Self.Kind
                var number: Int

                nonisolated struct ID: Trove.StorableKey {
                    var kind: Track.Kind
                    var number: Int

                    init(kind: Track.Kind, number: Int) {
                        self.kind = kind
                        self.number = number
                    }

                    init(from key: inout Trove.KeyDecoder) throws {
                        self.kind = try key._decodePart()
                        self.number = try key._decodePart()
                    }

                    func encode(into key: inout Trove.KeyEncoder) {
                        key._encodePart(self.kind)
                        key._encodePart(self.number)
                    }

                    static var keyParts: [(name: String, type: any Trove.StorableKey.Type)] {
                        [Trove._keyPart("kind", Track.Kind.self), Trove._keyPart("number", Int.self)]
                    }
                }

                nonisolated var id: ID { ID(kind: self.kind, number: self.number) }
            }

            extension Track: nonisolated Trove.Model, Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Track", version: 1, identity: ["kind", "number"], id: \Self.id, fields: [
                    Trove.FieldSchema("kind", \Self.kind),
                    Trove.FieldSchema("number", \Self.number),
                ])

                nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.kind)
                    try record.encode(self.number)
                }

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    try self.init(
                        kind: record.decode(),
                        number: record.decode()
                    )
                }
            }
            """#)
    }

    @Test func handwrittenIDType() {
        expectExpansion(
            """
            @Model struct Country {
                #Unique<Country>([\\.code], identity: true)
                typealias ID = String
                var code: String
            }
            """,
            #"""
            struct Country {
                typealias ID = String
                var code: String

                nonisolated var id: ID { self.code }
            }

            extension Country: nonisolated Trove.Model, Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Country", version: 1, identity: ["code"], id: \Self.id, fields: [
                    Trove.FieldSchema("code", \Self.code),
                ])

                nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.code)
                }

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    try self.init(
                        code: record.decode()
                    )
                }
            }
            """#)
    }
}
