import Testing

@Suite struct ActiveRecordExpansionTests {
    @Test func findersOfProperties() {
        expectExpansion(
            #"""
            @ActiveRecord @Model public struct Song {
                #Unique<Song>([\.title], identity: true)
                public private(set) var title: String
                var year = 1900, live = false
                fileprivate var added = Date()
                var tags = Set(["a"])
                private var `default`: Int?
                var notes = makeNotes()
                @Transient var isSelected = false
                static let limit = 10
                static let schema = ModelSchema("Song", fields: [])
                func encode(into record: inout RecordEncoder) throws {}
                init(from record: inout RecordDecoder) throws {}
            }
            """#,
            #"""
            public struct Song {
                public private(set) var title: String
                var year = 1900, live = false
                fileprivate var added = Date()
                var tags = Set(["a"])
                private var `default`: Int?
                var notes = makeNotes()
                var isSelected = false
                static let limit = 10
                static let schema = ModelSchema("Song", fields: [])
                func encode(into record: inout RecordEncoder) throws {}
                init(from record: inout RecordDecoder) throws {}

                /// Finds objects by id, `find(id)`, and by the values of their properties.
                public nonisolated static var find: Finders { Finders() }

                /// The finders of `Song`.
                public nonisolated struct Finders: TroveActiveRecord.ObjectFinder {
                    public typealias Object = Song

                    public func byTitle(_ value: String) throws -> [Song] { try by(\.title, value) }

                    public func firstByTitle(_ value: String) throws -> Song? { try first(by: \.title, value) }

                    public func byTitle(_ value: String) async throws -> [Song] { try await by(\.title, value) }

                    public func firstByTitle(_ value: String) async throws -> Song? { try await first(by: \.title, value) }

                    func byYear(_ value: Int) throws -> [Song] { try by(\.year, value) }

                    func firstByYear(_ value: Int) throws -> Song? { try first(by: \.year, value) }

                    func byYear(_ value: Int) async throws -> [Song] { try await by(\.year, value) }

                    func firstByYear(_ value: Int) async throws -> Song? { try await first(by: \.year, value) }

                    func byLive(_ value: Bool) throws -> [Song] { try by(\.live, value) }

                    func firstByLive(_ value: Bool) throws -> Song? { try first(by: \.live, value) }

                    func byLive(_ value: Bool) async throws -> [Song] { try await by(\.live, value) }

                    func firstByLive(_ value: Bool) async throws -> Song? { try await first(by: \.live, value) }

                    fileprivate func byAdded(_ value: Date) throws -> [Song] { try by(\.added, value) }

                    fileprivate func firstByAdded(_ value: Date) throws -> Song? { try first(by: \.added, value) }

                    fileprivate func byAdded(_ value: Date) async throws -> [Song] { try await by(\.added, value) }

                    fileprivate func firstByAdded(_ value: Date) async throws -> Song? { try await first(by: \.added, value) }
                }

                public typealias ID = String

                public nonisolated var id: ID { self.title }
            }

            extension Song: nonisolated Trove.Model, Sendable {}
            """#)
    }

    @Test func typesThatBeginWithSelf() {
        expectExpansion(
            #"""
            @ActiveRecord @Model struct Song {
                var kind: Self.Kind
            }
            """#,
            #"""
            struct Song {
                var kind: Self.Kind

                /// Finds objects by id, `find(id)`, and by the values of their properties.
                nonisolated static var find: Finders { Finders() }

                /// The finders of `Song`.
                nonisolated struct Finders: TroveActiveRecord.ObjectFinder {
                    typealias Object = Song

                    func byKind(_ value: Song.Kind) throws -> [Song] { try by(\.kind, value) }

                    func firstByKind(_ value: Song.Kind) throws -> Song? { try first(by: \.kind, value) }

                    func byKind(_ value: Song.Kind) async throws -> [Song] { try await by(\.kind, value) }

                    func firstByKind(_ value: Song.Kind) async throws -> Song? { try await first(by: \.kind, value) }
                }

                nonisolated var id: Trove.ObjectID = Trove.ObjectID()
            }

            extension Song: nonisolated Trove.Model, Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, fields: [
                    Trove.FieldSchema("kind", \Self.kind),
                ])

                nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.kind)
                }

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    try self.init(
                        kind: record.decode(),
                        id: record.decodeID()
                    )
                }
            }
            """#)
    }

    @Test func onlyOnModels() {
        expectDiagnostic(
            DiagnosticCase(
                "no model", "▸@ActiveRecord struct Song { var title: String }", "'@ActiveRecord' belongs on a type that has '@Model'"))
    }

    @Test func accessFromAnExtension() {
        expectExpansion(
            """
            public extension Album {
                @ActiveRecord @Model struct Song {
                }
            }
            """,
            #"""
            public extension Album {
                struct Song {

                    /// Finds objects by id, `find(id)`, and by the values of their properties.
                    public nonisolated static var find: Finders { Finders() }

                    /// The finders of `Song`.
                    public nonisolated struct Finders: TroveActiveRecord.ObjectFinder {
                        public typealias Object = Song
                    }

                    public nonisolated var id: Trove.ObjectID = Trove.ObjectID()
                }
            }

            extension Album.Song: nonisolated Trove.Model, Sendable {
                public nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, fields: [])

                public nonisolated func encode(into record: inout Trove.RecordEncoder) throws {}

                public nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    try self.init(
                        id: record.decodeID()
                    )
                }
            }
            """#)
    }
}
