package io.homeshard.routing;

import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.Map;

/** What a call returns, handed on. */
abstract class DelegatingCallableStatement extends RoutedPreparedStatement implements CallableStatement {
    private final CallableStatement delegate;

    DelegatingCallableStatement(RoutedConnection connection, CallableStatement delegate, String sql) {
        super(connection, delegate, sql);
        this.delegate = delegate;
    }

    @Override
    public boolean wasNull() throws SQLException {
        return delegate.wasNull();
    }

    @Override
    public String getString(int index) throws SQLException {
        return delegate.getString(index);
    }

    @Override
    public boolean getBoolean(int index) throws SQLException {
        return delegate.getBoolean(index);
    }

    @Override
    public byte getByte(int index) throws SQLException {
        return delegate.getByte(index);
    }

    @Override
    public short getShort(int index) throws SQLException {
        return delegate.getShort(index);
    }

    @Override
    public int getInt(int index) throws SQLException {
        return delegate.getInt(index);
    }

    @Override
    public long getLong(int index) throws SQLException {
        return delegate.getLong(index);
    }

    @Override
    public float getFloat(int index) throws SQLException {
        return delegate.getFloat(index);
    }

    @Override
    public double getDouble(int index) throws SQLException {
        return delegate.getDouble(index);
    }

    @Override
    @Deprecated
    @SuppressWarnings("deprecation")
    public BigDecimal getBigDecimal(int index, int scale) throws SQLException {
        return delegate.getBigDecimal(index, scale);
    }

    @Override
    public byte[] getBytes(int index) throws SQLException {
        return delegate.getBytes(index);
    }

    @Override
    public Date getDate(int index) throws SQLException {
        return delegate.getDate(index);
    }

    @Override
    public Time getTime(int index) throws SQLException {
        return delegate.getTime(index);
    }

    @Override
    public Timestamp getTimestamp(int index) throws SQLException {
        return delegate.getTimestamp(index);
    }

    @Override
    public Object getObject(int index) throws SQLException {
        return delegate.getObject(index);
    }

    @Override
    public BigDecimal getBigDecimal(int index) throws SQLException {
        return delegate.getBigDecimal(index);
    }

    @Override
    public Object getObject(int index, Map<String, Class<?>> type) throws SQLException {
        return delegate.getObject(index, type);
    }

    @Override
    public Ref getRef(int index) throws SQLException {
        return delegate.getRef(index);
    }

    @Override
    public Blob getBlob(int index) throws SQLException {
        return delegate.getBlob(index);
    }

    @Override
    public Clob getClob(int index) throws SQLException {
        return delegate.getClob(index);
    }

    @Override
    public Array getArray(int index) throws SQLException {
        return delegate.getArray(index);
    }

    @Override
    public Date getDate(int index, Calendar calendar) throws SQLException {
        return delegate.getDate(index, calendar);
    }

    @Override
    public Time getTime(int index, Calendar calendar) throws SQLException {
        return delegate.getTime(index, calendar);
    }

    @Override
    public Timestamp getTimestamp(int index, Calendar calendar) throws SQLException {
        return delegate.getTimestamp(index, calendar);
    }

    @Override
    public URL getURL(int index) throws SQLException {
        return delegate.getURL(index);
    }

    @Override
    public String getString(String parameter) throws SQLException {
        return delegate.getString(parameter);
    }

    @Override
    public boolean getBoolean(String parameter) throws SQLException {
        return delegate.getBoolean(parameter);
    }

    @Override
    public byte getByte(String parameter) throws SQLException {
        return delegate.getByte(parameter);
    }

    @Override
    public short getShort(String parameter) throws SQLException {
        return delegate.getShort(parameter);
    }

    @Override
    public int getInt(String parameter) throws SQLException {
        return delegate.getInt(parameter);
    }

    @Override
    public long getLong(String parameter) throws SQLException {
        return delegate.getLong(parameter);
    }

    @Override
    public float getFloat(String parameter) throws SQLException {
        return delegate.getFloat(parameter);
    }

    @Override
    public double getDouble(String parameter) throws SQLException {
        return delegate.getDouble(parameter);
    }

    @Override
    public byte[] getBytes(String parameter) throws SQLException {
        return delegate.getBytes(parameter);
    }

    @Override
    public Date getDate(String parameter) throws SQLException {
        return delegate.getDate(parameter);
    }

    @Override
    public Time getTime(String parameter) throws SQLException {
        return delegate.getTime(parameter);
    }

    @Override
    public Timestamp getTimestamp(String parameter) throws SQLException {
        return delegate.getTimestamp(parameter);
    }

    @Override
    public Object getObject(String parameter) throws SQLException {
        return delegate.getObject(parameter);
    }

    @Override
    public BigDecimal getBigDecimal(String parameter) throws SQLException {
        return delegate.getBigDecimal(parameter);
    }

    @Override
    public Object getObject(String parameter, Map<String, Class<?>> type) throws SQLException {
        return delegate.getObject(parameter, type);
    }

    @Override
    public Ref getRef(String parameter) throws SQLException {
        return delegate.getRef(parameter);
    }

    @Override
    public Blob getBlob(String parameter) throws SQLException {
        return delegate.getBlob(parameter);
    }

    @Override
    public Clob getClob(String parameter) throws SQLException {
        return delegate.getClob(parameter);
    }

    @Override
    public Array getArray(String parameter) throws SQLException {
        return delegate.getArray(parameter);
    }

    @Override
    public Date getDate(String parameter, Calendar calendar) throws SQLException {
        return delegate.getDate(parameter, calendar);
    }

    @Override
    public Time getTime(String parameter, Calendar calendar) throws SQLException {
        return delegate.getTime(parameter, calendar);
    }

    @Override
    public Timestamp getTimestamp(String parameter, Calendar calendar) throws SQLException {
        return delegate.getTimestamp(parameter, calendar);
    }

    @Override
    public URL getURL(String parameter) throws SQLException {
        return delegate.getURL(parameter);
    }

    @Override
    public RowId getRowId(int index) throws SQLException {
        return delegate.getRowId(index);
    }

    @Override
    public RowId getRowId(String parameter) throws SQLException {
        return delegate.getRowId(parameter);
    }

    @Override
    public NClob getNClob(int index) throws SQLException {
        return delegate.getNClob(index);
    }

    @Override
    public NClob getNClob(String parameter) throws SQLException {
        return delegate.getNClob(parameter);
    }

    @Override
    public SQLXML getSQLXML(int index) throws SQLException {
        return delegate.getSQLXML(index);
    }

    @Override
    public SQLXML getSQLXML(String parameter) throws SQLException {
        return delegate.getSQLXML(parameter);
    }

    @Override
    public String getNString(int index) throws SQLException {
        return delegate.getNString(index);
    }

    @Override
    public String getNString(String parameter) throws SQLException {
        return delegate.getNString(parameter);
    }

    @Override
    public Reader getNCharacterStream(int index) throws SQLException {
        return delegate.getNCharacterStream(index);
    }

    @Override
    public Reader getNCharacterStream(String parameter) throws SQLException {
        return delegate.getNCharacterStream(parameter);
    }

    @Override
    public Reader getCharacterStream(int index) throws SQLException {
        return delegate.getCharacterStream(index);
    }

    @Override
    public Reader getCharacterStream(String parameter) throws SQLException {
        return delegate.getCharacterStream(parameter);
    }

    @Override
    public <T> T getObject(int index, Class<T> type) throws SQLException {
        return delegate.getObject(index, type);
    }

    @Override
    public <T> T getObject(String parameter, Class<T> type) throws SQLException {
        return delegate.getObject(parameter, type);
    }
}
