// The names of types that SwiftData declares, for the test of which of them Trove has too. Nothing here does anything.

public struct Attribute {}
public struct BackingData {}
public struct DataStore {}
public struct DefaultStore {}
public struct FetchDescriptor {}
public struct FetchResultsCollection {}
public struct HistoryDescriptor {}
public struct HistoryToken {}
public struct HistoryTransaction {}
public struct MigrationStage {}
public struct ModelActor {}
public struct ModelConfiguration {}
public struct ModelContainer {}
public struct ModelContext {}
public struct ModelDocument {}
public struct PersistentIdentifier {}
public struct PersistentModel {}
public struct Query {}
public struct RelationshipCollection {}
public struct Schema {}
public struct SchemaMigrationPlan {}
public struct SchemaProperty {}
public struct SectionedResults {}
public struct SwiftDataError {}
public struct VersionedSchema {}
